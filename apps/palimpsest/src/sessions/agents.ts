import { homedir } from 'node:os'
import { join } from 'node:path'

/** An agent whose sessions are found. */
export interface Agent {
  readonly name: AgentName
  /** For people. */
  readonly title: string
  /** Where it keeps its sessions: a folder of files, or opencode's database. */
  folder(env: NodeJS.ProcessEnv): string
  /** False for files that are no session of a person, by their name. */
  isSession?(fileName: string): boolean
}

export const AGENT_NAMES = ['claude-code', 'codex', 'pi', 'opencode'] as const

export type AgentName = (typeof AGENT_NAMES)[number]

/** The agents whose recordings `palimpsest replay` reads and that have a place for them. */
export const AGENTS: readonly Agent[] = [
  {
    name: 'claude-code',
    title: 'Claude Code',
    folder: ({ CLAUDE_CONFIG_DIR }) => join(CLAUDE_CONFIG_DIR || join(homedir(), '.claude'), 'projects'),
    // A sub-agent's record is a part of the session that started it.
    isSession: (fileName) => !fileName.startsWith('agent-'),
  },
  {
    name: 'codex',
    title: 'Codex',
    folder: ({ CODEX_HOME }) => join(CODEX_HOME || join(homedir(), '.codex'), 'sessions'),
  },
  {
    name: 'pi',
    title: 'pi',
    folder: ({ PI_CODING_AGENT_DIR }) =>
      join(PI_CODING_AGENT_DIR || join(homedir(), '.pi', 'agent'), 'sessions'),
  },
  {
    name: 'opencode',
    title: 'opencode',
    folder: ({ XDG_DATA_HOME }) =>
      join(XDG_DATA_HOME || join(homedir(), '.local', 'share'), 'opencode', 'opencode.db'),
  },
]
