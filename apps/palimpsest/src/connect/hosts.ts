import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { findNodeAtLocation, getNodeValue, type Node } from 'jsonc-parser'
import { parse, type TomlTable } from 'smol-toml'
import type { HookAgent } from '../commands/hook.ts'
import { claudeFolder, codexFolder, piFolder } from '../sessions/agents.ts'
import { UsageError } from '../usage-error.ts'
import type { HostName } from './host-names.ts'
import { addJsonEntry, type JsonEntry, removeJsonEntry } from './json-entry.ts'

/** A host's configuration file. Both functions return its new text, and throw if they cannot parse the old one. */
export interface HostFile {
  readonly path: string
  add(text: string | undefined): string
  /** Undefined deletes the file, because nothing else is in it. */
  remove(text: string): string | undefined
}

export interface Place {
  readonly isProject: boolean
  readonly folder: string
  readonly environment: NodeJS.ProcessEnv
  readonly command: readonly [string, ...string[]]
  readonly platform?: NodeJS.Platform
}

const HOOK_TIME = 30

export const HOSTS: Readonly<Record<HostName, (place: Place) => HostFile[]>> = {
  'claude-code'(place) {
    const { isProject, folder, environment } = place
    const [program, ...args] = serverCommand(place)
    const server = serverEntry('mcpServers', { type: 'stdio', command: program, args })
    const settings = isProject ? join(folder, '.claude') : claudeFolder(environment)
    return [
      jsonFile(
        isProject
          ? join(folder, '.mcp.json')
          : join(environment.CLAUDE_CONFIG_DIR || homedir(), '.claude.json'),
        server,
      ),
      jsonFile(join(settings, 'settings.json'), hookEntry(place, 'claude-code')),
    ]
  },

  codex(place) {
    if (place.isProject)
      throw new UsageError('connect writes the configuration of the user for codex: leave --project out')
    return [
      {
        path: join(codexFolder(place.environment), 'config.toml'),
        add: (text) => addTomlServer(text, serverCommand(place)),
        remove: removeTomlServer,
      },
      jsonFile(join(codexFolder(place.environment), 'hooks.json'), hookEntry(place, 'codex')),
    ]
  },

  opencode(place) {
    const { isProject, folder } = place
    const { XDG_CONFIG_HOME } = place.environment
    const home = join(XDG_CONFIG_HOME || join(homedir(), '.config'), 'opencode')
    const paths = ['opencode.jsonc', 'opencode.json'].map((name) => join(isProject ? folder : home, name))
    const [commented, plain] = paths as [string, string]
    const entry = serverEntry('mcp', { type: 'local', command: serverCommand(place), enabled: true })
    return [jsonFile(existsSync(commented) ? commented : plain, entry)]
  },

  pi(place) {
    const [program, ...args] = serverCommand(place)
    const own = place.isProject ? join(place.folder, '.pi') : piFolder(place.environment)
    return [jsonFile(join(own, 'mcp.json'), serverEntry('mcpServers', { command: program, args }))]
  },
}

export function shellWords(words: readonly string[], platform = process.platform): string {
  const quoted = (word: string) => (platform === 'win32' ? `"${word}"` : `'${word.replaceAll("'", "'\\''")}'`)
  return words.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : quoted(word))).join(' ')
}

/** Starts the server without a shell. On Windows npm's commands are scripts, which only a shell starts. */
function serverCommand({ command, platform = process.platform }: Place): readonly string[] {
  return [...(platform === 'win32' ? ['cmd', '/c'] : []), ...command, 'mcp']
}

function jsonFile(path: string, entry: JsonEntry): HostFile {
  return {
    path,
    add: (text) => addJsonEntry(text, entry),
    remove: (text) => removeJsonEntry(text, entry),
  }
}

function serverEntry(key: string, value: unknown): JsonEntry {
  return {
    path: [key],
    key: 'palimpsest',
    value,
    find: (root) => findNodeAtLocation(root, [key, 'palimpsest']),
  }
}

function hookEntry({ command, platform }: Place, agent: HookAgent): JsonEntry {
  const path = ['hooks', 'SessionStart']
  const hook = {
    type: 'command',
    command: shellWords([...command, 'hook', agent], platform),
    timeout: HOOK_TIME,
  }
  const isOurs = (node: Node) => {
    const command = String(getNodeValue(node)?.command)
    return command.endsWith(` hook ${agent}`) && /palimpsest\b/.test(command)
  }
  return {
    path,
    value: { matcher: 'compact|resume', hooks: [hook] },
    find(root) {
      for (const matcher of findNodeAtLocation(root, path)?.children ?? []) {
        const hooks = findNodeAtLocation(matcher, ['hooks'])?.children ?? []
        const found = hooks.find(isOurs)
        if (found !== undefined) return hooks.length === 1 ? matcher : found
      }
      return undefined
    },
  }
}

const NAME = 'palimpsest'

const HEADER = /^[ \t]*\[[ \t]*mcp_servers[ \t]*\.[ \t]*["']?palimpsest["']?[ \t]*[.\]]/
const OURS = new RegExp(
  `(?:\\r?\\n)?${HEADER.source}[^\\n]*(?:\\n(?![ \\t]*(?:[[#]|\\r?$))[^\\n]*)*\\n?`,
  'gm',
)

function addTomlServer(text: string | undefined, [command, ...args]: readonly string[]): string {
  if (serverIn(parsed(text ?? '')) !== undefined) return text ?? ''
  const eol = text?.includes('\r\n') ? '\r\n' : '\n'
  const list = args.map((arg) => JSON.stringify(arg)).join(', ')
  const table = [`[mcp_servers.${NAME}]`, `command = ${JSON.stringify(command)}`, `args = [${list}]`].join(
    eol,
  )
  // The end of the file keeps its line break or lack of one.
  const changed = text === undefined ? table + eol : text + eol + table + (/(?:^|\n)$/.test(text) ? eol : '')
  try {
    if (serverIn(parsed(changed)) !== undefined) return changed
  } catch {}
  throw new Error(`no table can be added to its mcp_servers: add [mcp_servers.${NAME}] to it by hand`)
}

function removeTomlServer(text: string): string | undefined {
  if (serverIn(parsed(text)) === undefined) return text
  const left = text.replace(OURS, '')
  try {
    if (serverIn(parsed(left)) === undefined && isDeepStrictEqual(others(left), others(text)))
      return left === '' && HEADER.test(text) ? undefined : left
  } catch {}
  throw new Error(
    `its server "${NAME}" is written in another way than this command writes it: remove it by hand`,
  )
}

function parsed(text: string): TomlTable {
  try {
    return parse(text, { integersAsBigInt: true })
  } catch (cause) {
    const { line } = cause as { line?: number }
    throw new Error(`line ${line ?? '?'} is not valid TOML; correct it`, { cause })
  }
}

function serverIn({ mcp_servers: servers }: TomlTable): unknown {
  return (servers as TomlTable | undefined)?.[NAME]
}

function others(text: string): TomlTable {
  const table = parsed(text)
  const servers = table.mcp_servers as TomlTable | undefined
  delete servers?.[NAME]
  if (servers !== undefined && Object.keys(servers).length === 0) delete table.mcp_servers
  return table
}
