import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { looseOf } from '@palimpsest/core'
import { parseObject } from './parse-object.ts'

type Env = NodeJS.ProcessEnv

export interface Agent {
  readonly name: AgentName
  readonly title: string
  places(env: Env, project: string): readonly string[]
  readonly isSession: RegExp
}

export const AGENT_NAMES = [
  'claude-code',
  'codex',
  'pi',
  'opencode',
  'gemini-cli',
  'qwen-code',
  'copilot',
  'goose',
  'hermes',
  'cline',
  'roo-code',
  'aider',
] as const

export type AgentName = (typeof AGENT_NAMES)[number]

export function claudeFolder({ CLAUDE_CONFIG_DIR }: Env): string {
  return CLAUDE_CONFIG_DIR || join(homedir(), '.claude')
}

export function codexFolder({ CODEX_HOME }: Env): string {
  return CODEX_HOME || join(homedir(), '.codex')
}

export function piFolder({ PI_CODING_AGENT_DIR }: Env): string {
  return PI_CODING_AGENT_DIR || join(homedir(), '.pi', 'agent')
}

function dataFolder({ XDG_DATA_HOME }: Env): string {
  return XDG_DATA_HOME || join(homedir(), '.local', 'share')
}

const LINES = /\.jsonl$/

export const AGENTS: readonly Agent[] = [
  {
    name: 'claude-code',
    title: 'Claude Code',
    places: (env) => [join(claudeFolder(env), 'projects')],
    // Deeper files are of sub-agents and workflows, parts of the session that started them.
    isSession: /^[^/]+\/(?!agent-)[^/]+\.jsonl$/,
  },
  {
    name: 'codex',
    title: 'Codex',
    places: (env) => ['sessions', 'archived_sessions'].map((name) => join(codexFolder(env), name)),
    isSession: /\.jsonl(?:\.zst)?$/,
  },
  { name: 'pi', title: 'pi', places: piPlaces, isSession: LINES },
  {
    name: 'opencode',
    title: 'opencode',
    places(env) {
      const folder = join(dataFolder(env), 'opencode')
      const named = env.OPENCODE_DB ? [resolve(folder, env.OPENCODE_DB)] : []
      const channels = namesIn(folder).filter((name) => /^opencode-[\w.-]+\.db$/.test(name))
      return [...new Set([...named, ...['opencode.db', ...channels].map((name) => join(folder, name))])]
    },
    isSession: LINES,
  },
  {
    name: 'gemini-cli',
    title: 'Gemini CLI',
    places: ({ GEMINI_CLI_HOME }) => [join(GEMINI_CLI_HOME || homedir(), '.gemini', 'tmp')],
    isSession: /^[^/]+\/chats\/session-[^/]*\.jsonl?$/,
  },
  {
    name: 'qwen-code',
    title: 'Qwen Code',
    places({ QWEN_RUNTIME_DIR }) {
      const folder = QWEN_RUNTIME_DIR || join(homedir(), '.qwen')
      return [join(folder, 'projects'), join(folder, 'tmp')]
    },
    isSession: /^[^/]+\/chats\/[^/]+\.jsonl?$/,
  },
  {
    name: 'copilot',
    title: 'Copilot CLI',
    places: ({ COPILOT_HOME }) => [join(COPILOT_HOME || join(homedir(), '.copilot'), 'session-state')],
    isSession: /^(?:[^/]+\/events|[^/]+)\.jsonl$/,
  },
  {
    name: 'goose',
    title: 'goose',
    places(env) {
      const { GOOSE_PATH_ROOT } = env
      const data = GOOSE_PATH_ROOT ? join(GOOSE_PATH_ROOT, 'data') : join(dataFolder(env), 'goose')
      const database = join(data, 'sessions', 'sessions.db')
      // The database replaced the files.
      return [existsSync(database) ? database : join(data, 'sessions')]
    },
    isSession: LINES,
  },
  {
    name: 'hermes',
    title: 'Hermes Agent',
    places({ HERMES_HOME }) {
      const home = HERMES_HOME || join(homedir(), '.hermes')
      const profiles = namesIn(join(home, 'profiles')).map((name) => join(home, 'profiles', name))
      return [home, ...profiles].flatMap((folder) => [join(folder, 'state.db'), join(folder, 'sessions')])
    },
    isSession: LINES,
  },
  { name: 'cline', title: 'Cline', ...extensionOf('saoudrizwan.claude-dev', [['.cline', 'data']]) },
  { name: 'roo-code', title: 'Roo Code', ...extensionOf('rooveterinaryinc.roo-cline') },
  {
    name: 'aider',
    title: 'aider',
    places({ AIDER_CHAT_HISTORY_FILE }, project) {
      const folders = [project]
      while (dirname(folders.at(-1) ?? '') !== folders.at(-1)) folders.push(dirname(folders.at(-1) ?? ''))
      const named = AIDER_CHAT_HISTORY_FILE ? [resolve(project, AIDER_CHAT_HISTORY_FILE)] : []
      return [...named, ...folders.map((folder) => join(folder, '.aider.chat.history.md')).filter(existsSync)]
    },
    isSession: /^$/,
  },
]

export function placesNotRead(env: Env): readonly { readonly title: string; readonly place: string }[] {
  const home = homedir()
  const opencode = join(dataFolder(env), 'opencode')
  const places = {
    Cursor: [
      join(home, '.cursor', 'chats'),
      ...userFolders(['Cursor']).map((folder) => join(folder, 'globalStorage', 'state.vscdb')),
    ],
    'Kimi CLI': [join(home, '.kimi', 'sessions')],
    Continue: [join(home, '.continue', 'sessions')],
    Amp: [join(dataFolder(env), 'amp', 'threads')],
    Droid: [join(home, '.factory', 'sessions')],
    'opencode before version 1.1': existsSync(join(opencode, 'opencode.db'))
      ? []
      : [join(opencode, 'storage', 'session')],
  }
  return Object.entries(places).flatMap(([title, all]) =>
    all.filter(existsSync).map((place) => ({ title, place })),
  )
}

function piPlaces(env: Env, project: string): readonly string[] {
  const places = [join(piFolder(env), 'sessions')]
  const home = (path: string) => path.replace(/^~(?=$|[\\/])/, homedir())
  if (env.PI_CODING_AGENT_SESSION_DIR) places.push(resolve(project, home(env.PI_CODING_AGENT_SESSION_DIR)))
  for (const folder of [piFolder(env), join(project, '.pi')]) {
    const { sessionDir } = looseOf(parseObject(textIn(join(folder, 'settings.json'))))
    if (typeof sessionDir !== 'string' || sessionDir === '') continue
    for (const base of [project, folder]) places.push(resolve(base, home(sessionDir)))
  }
  return [...new Set(places)]
}

const EDITORS = ['Code', 'Code - Insiders', 'VSCodium', 'Cursor', 'Windsurf']

function userFolders(editors = EDITORS): readonly string[] {
  const home = homedir()
  const base =
    process.platform === 'darwin'
      ? join(home, 'Library', 'Application Support')
      : process.platform === 'win32'
        ? join(home, 'AppData', 'Roaming')
        : join(home, '.config')
  const servers = ['.vscode-server', '.vscode-server-insiders'].map((name) => join(home, name, 'data'))
  return [...editors.map((editor) => join(base, editor)), ...servers].map((folder) => join(folder, 'User'))
}

function extensionOf(
  id: string,
  own: readonly (readonly string[])[] = [],
): Pick<Agent, 'places' | 'isSession'> {
  return {
    places: () => [
      ...userFolders().map((folder) => join(folder, 'globalStorage', id, 'tasks')),
      ...own.map((parts) => join(homedir(), ...parts, 'tasks')),
    ],
    isSession: /^[^/]+\/api_conversation_history\.json$/,
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

function textIn(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
