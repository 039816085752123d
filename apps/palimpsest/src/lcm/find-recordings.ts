import { open, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { UsageError } from '../usage-error.ts'

/** A file to import. */
export interface Recording {
  readonly path: string
  /** It was found in a folder, not named itself. */
  readonly isListed: boolean
  /** It is what `palimpsest lcm export` wrote. */
  readonly isExport: boolean
}

/** How an export begins. */
const EXPORT_START = '{"format":"palimpsest-lcm"'

/** The files that are named, and in the place of a folder the JSON and JSONL files in it, by name. @throws UsageError */
export async function findRecordings(paths: readonly string[]): Promise<Recording[]> {
  const recordings: Recording[] = []
  for (const path of paths) {
    const found = await stat(path).catch(() => undefined)
    if (found === undefined) throw new UsageError(`${path} does not exist; check the path`)
    const files = found.isDirectory() ? await filesIn(path) : [path]
    for (const file of files) {
      const isFile = found.isFile() || found.isDirectory()
      recordings.push({ path: file, isListed: file !== path, isExport: await isExport(file, isFile) })
    }
  }
  return recordings
}

async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true })
  const names = entries.filter((entry) => !entry.isDirectory() && /\.jsonl?$/i.test(entry.name))
  if (names.length === 0) throw new UsageError(`${folder} has no session file in it (.jsonl or .json)`)
  return names.map(({ name }) => join(folder, name)).sort()
}

/** Looks at the first bytes of a regular file: those of a pipe could not be read again. */
async function isExport(path: string, isFile: boolean): Promise<boolean> {
  if (!isFile) return false
  const handle = await open(path, 'r')
  try {
    const { buffer } = await handle.read(Buffer.alloc(EXPORT_START.length), 0, EXPORT_START.length, 0)
    return buffer.toString('latin1') === EXPORT_START
  } finally {
    await handle.close()
  }
}
