import { access, constants, realpath, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { describeWriteFault, replaceFile } from './replace-file.ts'
import { UsageError } from './usage-error.ts'

/** A file that a command was asked to write. */
export interface OutputFile {
  /** The option that names it, for messages. */
  readonly option: string
  /** Where it really is: links are followed. */
  readonly path: string
  /** A device or a pipe is written to, a regular file is replaced as a whole. */
  readonly isRegular: boolean
}

/**
 * Checks before any work that the files can be written, that none of them is the input or part of a store that is in
 * use, and that no two are the same.
 *
 * @param stores files of SQLite, which has others beside them.
 */
export async function openOutputs(
  requests: Readonly<Record<string, string | undefined>>,
  stores: readonly string[],
  input?: string,
): Promise<OutputFile[]> {
  const source = input && (await realPlace(input))
  const places = await Promise.all(stores.map(realPlace))
  const kept = new Set(places.flatMap((path) => STORE_ENDS.map((end) => path + end)))
  const outputs: OutputFile[] = []
  for (const [option, path] of Object.entries(requests)) {
    if (path === undefined) continue
    const output = await checkOutput(option, path)
    const place = await realPlace(path)
    if (place === source) throw new UsageError(`${option} names the session itself; choose another file`)
    if (kept.has(place)) throw new UsageError(`${option} names the store itself; choose another file`)
    if (output.isRegular && outputs.some((other) => other.path === output.path)) {
      throw new UsageError(`${option} names a file that is written already; choose another one`)
    }
    outputs.push(output)
  }
  return outputs
}

/** Ends of the names of files that a store in SQLite consists of. */
const STORE_ENDS = ['', '-wal', '-shm', '-journal']

/** Where a file is or would be, links followed. */
async function realPlace(path: string): Promise<string> {
  const folder = () => realpath(dirname(path)).catch(() => resolve(dirname(path)))
  return realpath(path).catch(async () => join(await folder(), basename(path)))
}

async function checkOutput(option: string, path: string): Promise<OutputFile> {
  const existing = await stat(path).catch(() => undefined)
  if (existing?.isDirectory()) throw new UsageError(`${option}: ${path} is a folder; name a file`)
  const target = existing === undefined ? path : await realpath(path)
  const isRegular = existing === undefined || existing.isFile()
  const asked = existing === undefined ? dirname(target) : target
  try {
    await access(asked, constants.W_OK)
    if (isRegular) await access(dirname(target), constants.W_OK)
    // Root may write anywhere, but a file that is marked read-only is meant to stay.
    if (existing?.isFile() && (existing.mode & 0o222) === 0) throw new Error('it is read-only')
  } catch (cause) {
    throw new UsageError(`${option}: ${path} cannot be written: ${describeWriteFault(path, cause)}`, {
      cause,
    })
  }
  return { option, path: target, isRegular }
}

/** Writes one JSON line a value into each file. Regular files are replaced as a whole, or not at all. */
export async function writeOutputs(
  outputs: readonly OutputFile[],
  lines: Readonly<Record<string, readonly unknown[]>>,
): Promise<void> {
  for (const output of outputs)
    await writeOutput(
      output,
      (lines[output.option] ?? []).map((value) => `${JSON.stringify(value)}\n`).join(''),
    )
}

export async function writeOutput(
  { option, path, isRegular }: OutputFile,
  text: string | Iterable<string>,
): Promise<void> {
  if (isRegular) return replaceFile(path, text)
  await writeFile(path, text).catch((cause) => {
    throw new UsageError(`${option}: ${path} cannot be written: ${describeWriteFault(path, cause)}`, {
      cause,
    })
  })
}
