import { resolve } from 'node:path'

const PLAIN = /^[\w./-]+$/
/** Quotes of `cmd.exe` do not stop these. */
const UNSAFE = process.platform === 'win32' ? /[\p{Cc}"%!]/u : /\p{Cc}/u

/** The command that replays a file, quoted for a shell; undefined for a path that cannot be quoted. */
export function replayCommand(file: string): string | undefined {
  const path = resolve(file)
  if (UNSAFE.test(path)) return undefined
  if (PLAIN.test(path)) return `replay ${path}`
  return process.platform === 'win32' ? `replay "${path}"` : `replay '${path.replaceAll("'", `'\\''`)}'`
}
