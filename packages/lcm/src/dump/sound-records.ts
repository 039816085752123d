import { StoreError } from '../errors/store-error.ts'
import type { DumpRecord } from '../store/dump-record.ts'
import type { LcmStore, SessionRef } from '../store/lcm-store.ts'
import { createRecordChecker } from './create-record-checker.ts'

export type CopyEnd = 'source' | 'destination'

/** A session that cannot be read, or is not what was stored. Only this one: the store is all right. */
export class UnsoundSession extends Error {
  readonly end: CopyEnd

  constructor(end: CopyEnd, cause: unknown) {
    super(`the session is damaged at the ${end}`, { cause })
    this.end = end
  }
}

/**
 * The records of a session, each proved by its hash and its place.
 *
 * @throws UnsoundSession when one is missing, changed or unreadable; the error of a store that cannot be used.
 */
export async function* soundRecords(
  store: LcmStore,
  ref: Required<SessionRef>,
  end: CopyEnd,
): AsyncGenerator<DumpRecord> {
  const checker = createRecordChecker()
  try {
    for await (const record of store.dump(ref)) {
      checker.take(record)
      yield record
    }
    checker.end()
  } catch (error) {
    throw isDamage(error) ? new UnsoundSession(end, error) : error
  }
}

/** Whether an error says that what is stored is damaged, and not that a store cannot be used. */
function isDamage(error: unknown): boolean {
  if (StoreError.isInstance(error)) return error.code === 'STORE_CORRUPT' || error.code === 'INVALID_DUMP'
  // A row that cannot be decoded throws these.
  return error instanceof SyntaxError || error instanceof TypeError
}
