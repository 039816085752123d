import { createReadStream, createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'

export const STANDARD_INPUT = '-'

/** Copies a source that can be read only once, standard input or a pipe, to a file. Returns its path. */
export type Spool = (path: string) => Promise<string>

export async function withSpool<T>(run: (spool: Spool) => Promise<T>): Promise<T> {
  const folders: string[] = []
  try {
    return await run(async (path) => {
      const folder = await mkdtemp(join(tmpdir(), 'palimpsest-'))
      folders.push(folder)
      const copy = join(folder, 'input')
      const source = path === STANDARD_INPUT ? process.stdin : createReadStream(path)
      await pipeline(source, createWriteStream(copy, { mode: 0o600 }))
      return copy
    })
  } finally {
    for (const folder of folders) await rm(folder, { recursive: true, force: true, maxRetries: 3 })
  }
}
