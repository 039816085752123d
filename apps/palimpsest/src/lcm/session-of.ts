import { basename, extname } from 'node:path'

/** The session of a recording, unless it is named: the file's name without its extension. */
export function sessionOf(path: string): string {
  return basename(path, extname(path))
}
