import { readdir, readFile, stat } from 'node:fs/promises'
import { basename, dirname, join, relative, sep } from 'node:path'
import {
  MAX_MADR_CHARACTERS,
  MAX_MADR_FILES,
  type MadrFile,
  readSeal,
  type ShelvedRecord,
} from '@palimpsest/decisions'
import { STANDARD_INPUT, withSpool } from '../lcm/spool.ts'
import { UsageError } from '../usage-error.ts'

export type Input = { readonly kind: 'export'; readonly name: string; readonly text: string } | RecordsInput

export interface RecordsInput {
  readonly kind: 'records'
  readonly files: readonly MadrFile[]
  /** Exported records beside a single one, which it may link to. */
  readonly shelf: readonly ShelvedRecord[]
}

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
  if (!kind.isDirectory()) {
    const input = asInput(basename(path), await readText(path))
    return input.kind === 'records' ? { ...input, shelf: await readShelf(path) } : input
  }
  const files = await readFolder(path)
  if (files.length > 0) return { kind: 'records', files, shelf: [] }
  throw new UsageError(
    `${path} has no records in it: files that end in .md; an export is imported by its name`,
  )
}

function asInput(name: string, text: string): Input {
  return /^\s*[{[]/.test(text)
    ? { kind: 'export', name, text }
    : { kind: 'records', files: [{ fileName: name, text }], shelf: [] }
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

/** The records that lie beside one and were exported, with the decisions that they are of. */
async function readShelf(path: string): Promise<ShelvedRecord[]> {
  const folder = dirname(path)
  const entries = await readdir(folder, { withFileTypes: true })
  const names = entries
    .filter((entry) => entry.isFile() && entry.name.endsWith('.md') && entry.name !== basename(path))
    .map(({ name }) => name)
    .sort()
  const shelf: ShelvedRecord[] = []
  for (const fileName of names.slice(0, MAX_MADR_FILES)) {
    const file = join(folder, fileName)
    if ((await stat(file)).size > MAX_MADR_CHARACTERS) continue
    const decision = readSeal(await readFile(file, 'utf8').catch(() => ''))?.decision
    if (decision !== undefined) shelf.push({ fileName, decision })
  }
  return shelf
}
