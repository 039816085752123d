import type { LcmStore } from '../store/lcm-store.ts'
import { readDump } from './read-dump.ts'

/**
 * Writes the sessions of an export into a store. The export is read twice, so that nothing of a damaged one is
 * written. Sessions that are there stay; importing again changes nothing. Other writers wait meanwhile: see
 * `LcmStore.restore`.
 *
 * @param openLines Opens the export anew at each call and gives its lines without newlines.
 * @returns the sessions that are new or were continued, and the messages that came with them.
 * @throws StoreError `INVALID_DUMP`, with the number of the line, for a damaged or newer export; StoreConflictError
 * when another session of that name is there.
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
