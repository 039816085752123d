import { mkdtempSync, rmSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { bytes, whole } from '../report/section.ts'

/** A measurement that is stopped takes its gigabytes with it. */
const SIGNALS = ['SIGINT', 'SIGTERM'] as const

export function createScratchFolder(parent: string) {
  const path = mkdtempSync(join(parent, 'palimpsest-bench-'))
  const remove = () => rmSync(path, { recursive: true, force: true })
  const stop = () => {
    remove()
    process.exit(1)
  }
  for (const signal of SIGNALS) process.once(signal, stop)
  return {
    path,
    remove(): void {
      for (const signal of SIGNALS) process.off(signal, stop)
      remove()
    },
  }
}

/** Bytes of a stored message with its indexes, 3.6 KB of text with the indexes over it. */
const BYTES_PER_MESSAGE = 3_600 * 1.6
/** The store, a copy to write into, and one that the floor writes into. */
const FILES = 3
/** Left for the rest of the system: 1 GB. */
const RESERVE = 1e9

/** Why a measurement of so many messages does not fit into the folder's file system; undefined when it does. */
export async function findShortage(folder: string, messages: number): Promise<string | undefined> {
  const { bavail, bsize } = await statfs(folder)
  const free = bavail * bsize
  const needed = messages * BYTES_PER_MESSAGE * FILES
  if (free >= needed + RESERVE) return undefined
  return (
    `${whole(messages)} messages need ${bytes(needed)} in ${folder}, which has ` +
    `${bytes(free)} free. Make room, set TMPDIR to another disk, or measure fewer with --messages.`
  )
}
