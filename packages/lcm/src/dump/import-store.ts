import type { LcmStore } from '../store/lcm-store.ts'
import { readDump } from './read-dump.ts'

/**
 * Writes the sessions of an export into a store. The export is read twice, so that nothing of a damaged one is
 * written. What is there already stays as it is; importing again changes nothing. While it is written, others wait
 * for the store, in this process and in others: see `LcmStore.restore`.
 *
 * @param openLines Opens the export anew at each call and gives its lines without newlines.
 * @returns How many sessions are new or were continued, and how many messages that brought.
 * @throws StoreError `INVALID_DUMP`, with the number of the line, when the export is damaged or newer than this
 * package. @throws StoreConflictError when a session is there with something else in it.
 */
export async function importStore(
  store: LcmStore,
  openLines: () => AsyncIterable<string>,
): Promise<{ readonly sessions: number; readonly messages: number }> {
  for await (const _ of readDump(openLines())) {
    // Reading it to the end is the check.
  }
  return store.restore(readDump(openLines()))
}
