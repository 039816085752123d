/** Beginnings of files, and the names of their formats for people. */
const BEGINNINGS: readonly (readonly [bytes: string, kind: string])[] = [
  ['\x89PNG', 'a PNG image'],
  ['\xff\xd8\xff', 'a JPEG image'],
  ['GIF8', 'a GIF image'],
  ['RIFF', 'a WebP image or a sound'],
  ['%PDF', 'a PDF document'],
  ['PK\x03\x04', 'a ZIP archive or an office document'],
  ['\x1f\x8b', 'a gzip archive'],
  ['\x28\xb5\x2f\xfd', 'a Zstandard archive'],
  ['\x7fELF', 'a program or library'],
  ['\xcf\xfa\xed\xfe', 'a program or library'],
  ['MZ', 'a program or library'],
  ['\0asm', 'a WebAssembly module'],
  ['SQLite format 3\0', 'an SQLite database'],
]

/** Bytes from the beginning of a file that tell what it is. */
export const KIND_BYTES = 8_192

/** `utf-8`: also what only looks like it. */
export type FileKind =
  | { readonly encoding: 'utf-8' | 'utf-16le' | 'utf-16be' }
  | { readonly encoding: null; readonly kind: string }

/** The kind of a file, by its beginning: text does not contain a NUL byte, unless it is UTF-16 and says so. */
export function fileKind(beginning: Buffer): FileKind {
  if (beginning[0] === 0xff && beginning[1] === 0xfe) return { encoding: 'utf-16le' }
  if (beginning[0] === 0xfe && beginning[1] === 0xff) return { encoding: 'utf-16be' }
  const start = beginning.toString('latin1', 0, 16)
  const known = BEGINNINGS.find(([bytes]) => start.startsWith(bytes))
  // A text may begin with the letters of such a name.
  if (!beginning.includes(0))
    return known?.[1] === 'a PDF document' ? binary(known[1]) : { encoding: 'utf-8' }
  return binary(known?.[1] ?? 'a binary file')
}

function binary(kind: string): FileKind {
  return { encoding: null, kind }
}

/** A size for people and models. */
export function shownSize(bytes: number): string {
  if (bytes < 1_000) return `${bytes} bytes`
  const units = ['kB', 'MB', 'GB', 'TB']
  const power = Math.min(units.length, Math.floor(Math.log10(bytes) / 3))
  return `${(bytes / 1_000 ** power).toFixed(1)} ${units[power - 1]}`
}
