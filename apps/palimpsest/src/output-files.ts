import { access, constants, open, realpath, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { describeWriteFault, replaceFile } from './replace-file.ts'
import { UsageError } from './usage-error.ts'

export interface OutputFile {
  readonly path: string
  readonly isRegular: boolean
}

export interface Overwriting {
  readonly force?: boolean | undefined
  readonly mark?: string
}

/**
 * Checks early that a file can be written, is neither the input nor part of an SQLite store, and contains nothing else.
 */
export async function openOutput(
  path: string,
  stores: readonly string[],
  input: string,
  overwriting: Overwriting = {},
): Promise<OutputFile> {
  const output = await checkOutput(path)
  const place = await realPlace(path)
  if (place === (await realPlace(input)))
    throw new UsageError('--html names the session itself; choose another file')
  for (const store of await Promise.all(stores.map(realPlace)))
    if (STORE_ENDS.some((end) => place === store + end))
      throw new UsageError('--html names the store itself; choose another file')
  if (output.isRegular && !overwriting.force && !(await isOwn(output.path, overwriting.mark)))
    throw new UsageError(
      `--html: ${path} is there already, and is not from this command; choose another file, or overwrite it with --force`,
    )
  return output
}

const START = 4_096

async function isOwn(path: string, mark: string | undefined): Promise<boolean> {
  const file = await open(path).catch(() => undefined)
  if (file === undefined) return true
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(START), 0, START, 0)
    return bytesRead === 0 || (mark !== undefined && buffer.toString('utf8', 0, bytesRead).includes(mark))
  } finally {
    await file.close()
  }
}

const STORE_ENDS = ['', '-wal', '-shm', '-journal']

async function realPlace(path: string): Promise<string> {
  const folder = () => realpath(dirname(path)).catch(() => resolve(dirname(path)))
  return realpath(path).catch(async () => join(await folder(), basename(path)))
}

async function checkOutput(path: string): Promise<OutputFile> {
  const existing = await stat(path).catch(() => undefined)
  if (existing?.isDirectory()) throw new UsageError(`--html: ${path} is a folder; name a file`)
  const target = existing === undefined ? path : await realpath(path)
  const isRegular = existing === undefined || existing.isFile()
  const asked = existing === undefined ? dirname(target) : target
  try {
    await access(asked, constants.W_OK)
    if (isRegular) await access(dirname(target), constants.W_OK)
    if (existing?.isFile() && (existing.mode & 0o222) === 0) throw new Error('it is read-only')
  } catch (cause) {
    throw new UsageError(`--html: ${path} cannot be written: ${describeWriteFault(path, cause)}`, {
      cause,
    })
  }
  return { path: target, isRegular }
}

export async function writeOutput(
  { path, isRegular }: OutputFile,
  text: string | Iterable<string>,
): Promise<void> {
  if (isRegular) return replaceFile(path, text)
  await writeFile(path, text).catch((cause) => {
    throw new UsageError(`--html: ${path} cannot be written: ${describeWriteFault(path, cause)}`, {
      cause,
    })
  })
}
