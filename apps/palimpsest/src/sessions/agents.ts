import { homedir } from 'node:os'
import { join } from 'node:path'

export interface Agent {
  readonly name: AgentName
  readonly title: string
  /** Where it keeps its sessions: a folder of files, or opencode's database. */
  folder(env: NodeJS.ProcessEnv): string
  /** False for files that are no session of a person, by their name. */
  isSession?(fileName: string): boolean
}

export const AGENT_NAMES = ['claude-code', 'codex', 'pi', 'opencode'] as const

export type AgentName = (typeof AGENT_NAMES)[number]

export function claudeFolder({ CLAUDE_CONFIG_DIR }: NodeJS.ProcessEnv): string {
  return CLAUDE_CONFIG_DIR || join(homedir(), '.claude')
}

export function codexFolder({ CODEX_HOME }: NodeJS.ProcessEnv): string {
  return CODEX_HOME || join(homedir(), '.codex')
}

export function piFolder({ PI_CODING_AGENT_DIR }: NodeJS.ProcessEnv): string {
  return PI_CODING_AGENT_DIR || join(homedir(), '.pi', 'agent')
}

export const AGENTS: readonly Agent[] = [
  {
    name: 'claude-code',
    title: 'Claude Code',
    folder: (env) => join(claudeFolder(env), 'projects'),
    // A sub-agent's record is a part of the session that started it.
    isSession: (fileName) => !fileName.startsWith('agent-'),
  },
  {
    name: 'codex',
    title: 'Codex',
    folder: (env) => join(codexFolder(env), 'sessions'),
  },
  {
    name: 'pi',
    title: 'pi',
    folder: (env) => join(piFolder(env), 'sessions'),
  },
  {
    name: 'opencode',
    title: 'opencode',
    folder: ({ XDG_DATA_HOME }) =>
      join(XDG_DATA_HOME || join(homedir(), '.local', 'share'), 'opencode', 'opencode.db'),
  },
]
