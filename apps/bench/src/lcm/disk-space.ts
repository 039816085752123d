import { statfs } from 'node:fs/promises'

/** Bytes of a stored message with its indexes, 3.6 KB of text with the indexes over it. */
const BYTES_PER_MESSAGE = 3_600 * 1.6
/** The store, a copy to write into, and one that the floor writes into. */
const FILES = 3
/** What the rest of the system should still have: 1 GB. */
const RESERVE = 1e9

/** Bytes that a measurement of so many messages takes in the scratch folder for a while. */
export function neededBytes(messages: number): number {
  return messages * BYTES_PER_MESSAGE * FILES
}

/** Why a measurement of so many messages does not fit into the folder's file system; undefined when it does. */
export async function findShortage(folder: string, messages: number): Promise<string | undefined> {
  const { bavail, bsize } = await statfs(folder)
  const free = bavail * bsize
  const needed = neededBytes(messages)
  if (free >= needed + RESERVE) return undefined
  return (
    `${messages.toLocaleString('en-US')} messages need ${gigabytes(needed)} in ${folder}, which has ` +
    `${gigabytes(free)} free. Make room, set TMPDIR to another disk, or measure fewer with --messages.`
  )
}

function gigabytes(bytes: number): string {
  return `${(bytes / 1e9).toFixed(1)} GB`
}
