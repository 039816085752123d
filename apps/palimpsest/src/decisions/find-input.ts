import { readdir, readFile, stat } from 'node:fs/promises'
import { basename, join, relative, sep } from 'node:path'
import { MAX_MADR_CHARACTERS, MAX_MADR_FILES, type MadrFile } from '@palimpsest/decisions'
import { STANDARD_INPUT, withSpool } from '../lcm/spool.ts'
import { UsageError } from '../usage-error.ts'

/** What is to be imported: an export, or records. */
export type Input =
  | { readonly kind: 'export'; readonly name: string; readonly text: string }
  | { readonly kind: 'records'; readonly files: readonly MadrFile[] }

/** Bytes of a file that are read into memory: what the longest export has. */
const MAX_BYTES = 512 * 1024 * 1024

/**
 * Reads an export, a record, or the records of a folder and of the folders in it; `-` is standard input.
 *
 * @throws UsageError when there is nothing to read.
 */
export async function findInput(path: string): Promise<Input> {
  if (path === STANDARD_INPUT)
    return withSpool(async (spool) => asInput('standard-input', await readText(await spool(path), path)))
  const kind = await stat(path).catch(() => undefined)
  if (kind === undefined) throw new UsageError(`there is no file ${path} to import`)
  if (!kind.isDirectory()) return asInput(basename(path), await readText(path))
  const files = await readFolder(path)
  if (files.length > 0) return { kind: 'records', files }
  throw new UsageError(
    `${path} has no records in it: files that end in .md; an export is imported by its name`,
  )
}

function asInput(name: string, text: string): Input {
  return /^\s*[{[]/.test(text)
    ? { kind: 'export', name, text }
    : { kind: 'records', files: [{ fileName: name, text }] }
}

async function readText(path: string, name = path): Promise<string> {
  const { size } = await stat(path)
  if (size > MAX_BYTES) throw new UsageError(`${name} has ${size} bytes; ${MAX_BYTES} are read at most`)
  return readFile(path, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    throw new UsageError(`${name} cannot be read (${cause.code})`, { cause })
  })
}

/** The records of a folder, with names that tell the folders below it. Links to elsewhere are not followed. */
async function readFolder(folder: string): Promise<MadrFile[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = entries
    .filter((entry) => entry.isFile() && /\.(?:md|markdown)$/i.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !path.split(sep).includes('node_modules'))
    .sort()
    .slice(0, MAX_MADR_FILES + 1)
  const files: MadrFile[] = []
  for (const path of paths) {
    const { size } = await stat(path)
    // Too long for a record: what is left out of it does not matter, it is passed over with a warning.
    const text = size > 8 * MAX_MADR_CHARACTERS ? ' '.repeat(MAX_MADR_CHARACTERS + 1) : await readText(path)
    files.push({ fileName: relative(folder, path).split(sep).join('/'), text })
  }
  return files
}
