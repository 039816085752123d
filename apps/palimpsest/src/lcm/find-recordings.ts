import { open, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { UsageError } from '../usage-error.ts'
import { type Spool, STANDARD_INPUT } from './spool.ts'

/** A file to import. */
export interface Recording {
  readonly path: string
  /** For people: the path that was given, or `standard input`. */
  readonly name: string
  /** It was found in a folder, not named itself. */
  readonly isListed: boolean
  /** It is what `palimpsest lcm export` wrote. */
  readonly isExport: boolean
}

/** The beginning of an export, or of one that lost its first line. */
const EXPORT_START = /^\s*\{\s*("format"\s*:\s*"palimpsest-lcm"|"type"\s*:\s*"session"\s*,\s*"principal"\s*:)/
/** Bytes in which that shows. */
const START_BYTES = 200

/**
 * The files that are named, and in the place of a folder the JSON and JSONL files in it, by name. What can be read only
 * once is copied.
 *
 * @throws UsageError
 */
export async function findRecordings(paths: readonly string[], spool: Spool): Promise<Recording[]> {
  const recordings: Recording[] = []
  const add = async (path: string, name: string, isListed: boolean) =>
    recordings.push({ path, name, isListed, isExport: await isExport(path) })
  for (const path of paths) {
    if (path === STANDARD_INPUT) {
      await add(await spool(path), 'standard input', false)
      continue
    }
    const found = await stat(path).catch(() => undefined)
    if (found === undefined) throw new UsageError(`${path} does not exist; check the path`)
    if (found.isDirectory()) for (const file of await filesIn(path)) await add(file, file, true)
    else await add(found.isFile() ? path : await spool(path), path, false)
  }
  return recordings
}

async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true })
  const names = entries.filter((entry) => !entry.isDirectory() && /\.jsonl?$/i.test(entry.name))
  if (names.length === 0) throw new UsageError(`${folder} has no session file in it (.jsonl or .json)`)
  return names.map(({ name }) => join(folder, name)).sort()
}

async function isExport(path: string): Promise<boolean> {
  const handle = await open(path, 'r')
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(START_BYTES), 0, START_BYTES, 0)
    return EXPORT_START.test(buffer.toString('latin1', 0, bytesRead))
  } finally {
    await handle.close()
  }
}
