import { recordNumber } from '../dump/align-records.ts'
import type { DumpRecord } from '../store/dump-record.ts'
import type { OwnRecord } from './plan-restore.ts'
import { type StoredSession, sessionRecord } from './stored-session.ts'

const PAGE_ROWS = 200

/** Reads own rows of a session between two numbers, both inclusive, in order, as records. */
export type ReadRecords = (
  type: OwnRecord['type'],
  range: { readonly first: number; readonly last: number; readonly limit: number },
) => Promise<readonly OwnRecord[]>

/** A session's own rows, as records, as of the moment of the first record: later writes stay out. */
export async function* dumpRecords(session: StoredSession, read: ReadRecords): AsyncGenerator<DumpRecord> {
  const { parent, nextSeq, nextSummary, version } = session
  yield sessionRecord(session)
  const ranges = [
    ['message', parent?.seq ?? 0, nextSeq - 1],
    ['summary', parent?.summary ?? 1, nextSummary - 1],
    ['frontier', 0, version],
  ] as const
  for (const [type, start, last] of ranges)
    for (let first = start; first <= last; ) {
      const page = await read(type, { first, last, limit: PAGE_ROWS })
      yield* page
      const end = page.at(-1)
      if (end === undefined || page.length < PAGE_ROWS) break
      first = recordNumber(end) + 1
    }
}
