import { isDeepStrictEqual } from 'node:util'
import { parse, type TomlTable } from 'smol-toml'

const NAME = 'palimpsest'

/** Header of the table or of one below it, at the beginning of a line. */
const HEADER = /^[ \t]*\[[ \t]*mcp_servers[ \t]*\.[ \t]*["']?palimpsest["']?[ \t]*[.\]]/

/**
 * Appends the table `[mcp_servers.palimpsest]`. All other bytes stay.
 *
 * @throws Error that says why it cannot be done.
 */
export function addTomlServer(text: string | undefined, [command, ...args]: readonly string[]): string {
  if (serverIn(parsed(text ?? '')) !== undefined) return text ?? ''
  const eol = text?.includes('\r\n') ? '\r\n' : '\n'
  const list = args.map((arg) => JSON.stringify(arg)).join(', ')
  const table = [`[mcp_servers.${NAME}]`, `command = ${JSON.stringify(command)}`, `args = [${list}]`].join(
    eol,
  )
  // The end of the file stays as it was, with a line break or without one.
  const changed = text === undefined ? table + eol : text + eol + table + (/(?:^|\n)$/.test(text) ? eol : '')
  try {
    if (serverIn(parsed(changed)) !== undefined) return changed
  } catch {}
  throw new Error(`no table can be added to its mcp_servers: add [mcp_servers.${NAME}] to it by hand`)
}

/** Takes the table away, with those below it. Undefined: nothing is left. */
export function removeTomlServer(text: string): string | undefined {
  if (serverIn(parsed(text)) === undefined) return text
  const kept: string[] = []
  let pending: string[] = []
  let isOurs = false
  for (const line of text.split(/(?<=\n)/)) {
    const isOurHeader = HEADER.test(line)
    if (isOurHeader && !isOurs) kept.push(withoutBreak(kept.pop()))
    if (isOurHeader) isOurs = true
    else if (/^[ \t]*\[/.test(line)) isOurs = false
    // Blank lines and comments before another table are that table's.
    if (!isOurs) kept.push(...pending.splice(0), line)
    else if (isOurHeader || !/^[ \t]*(?:#.*)?\r?\n?$/.test(line)) pending = []
    else pending.push(line)
  }
  const left = kept.join('') + pending.join('')
  try {
    if (serverIn(parsed(left)) === undefined && isDeepStrictEqual(others(left), others(text)))
      return left === '' && HEADER.test(text) ? undefined : left
  } catch {}
  throw new Error(
    `its server "${NAME}" is written in another way than this command writes it: remove it by hand`,
  )
}

/** The line before the table, without the line break that came with the table. */
function withoutBreak(line = ''): string {
  return line.replace(/\r?\n$/, '')
}

function parsed(text: string): TomlTable {
  try {
    return parse(text, { integersAsBigInt: true })
  } catch (cause) {
    const { line } = cause as { line?: number }
    throw new Error(`line ${line ?? '?'} is not valid TOML`, { cause })
  }
}

function serverIn({ mcp_servers: servers }: TomlTable): unknown {
  return (servers as TomlTable | undefined)?.[NAME]
}

/** All settings but the server. */
function others(text: string): TomlTable {
  const table = parsed(text)
  const servers = table.mcp_servers as TomlTable | undefined
  delete servers?.[NAME]
  if (servers !== undefined && Object.keys(servers).length === 0) delete table.mcp_servers
  return table
}
