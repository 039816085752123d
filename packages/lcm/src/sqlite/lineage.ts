import type { Sql } from '@palimpsest/sqlite-kit'
import { isReplaced, nextLive, previousLive } from '../history/replaced-ranges.ts'
import type { SeqRange } from '../store/lcm-session.ts'
import { type Lineage, lineageOf, type RowRange, type Segment, segmentParts } from '../store-kit/lineage.ts'
import { baseOf } from './row-ids.ts'
import { readSession, type SessionRow } from './session-row.ts'

/** Follows a session to the one that was forked from none. */
export function readLineage(sql: Sql, session: SessionRow): Lineage {
  const origins = [session]
  for (let row = session; row.parent !== null; origins.push(row)) row = readSession(sql, row.parent)
  return lineageOf(origins)
}

/** Reads the rows between two row ids, both inclusive, in the range's order. */
type ReadRows<Row> = (segment: Segment, first: number, last: number, limit: number) => Row[]

/** Rows of a lineage in order. `replaced`: the ranges to leave out. `numberOf`: the number of a row in its session. */
export function readRows<Row>(
  lineage: Lineage,
  numbers: 'Seq' | 'Summary',
  range: RowRange,
  replaced: readonly SeqRange[],
  numberOf: (row: Row) => number,
  read: ReadRows<Row>,
): Row[] {
  const { parts, limit } = segmentParts(lineage, range, numbers)
  const rows: Row[] = []
  const newest = range.order === 'newest'
  for (const { segment, first, last } of parts) {
    const base = baseOf(segment.session)
    let [low, high] = [first, last]
    while (rows.length < limit) {
      // Over a replaced run in one step, however long it is.
      if (newest) high = previousLive(replaced, high)
      else low = nextLive(replaced, low)
      if (!(low <= high)) break
      const wanted = limit - rows.length
      const batch = read(segment, base + low, base + high, wanted)
      for (const row of batch)
        if (replaced.length === 0 || !isReplaced(replaced, numberOf(row))) rows.push(row)
      const lastRow = batch.at(-1)
      if (lastRow === undefined || batch.length < wanted) break
      if (newest) high = numberOf(lastRow) - 1
      else low = numberOf(lastRow) + 1
    }
  }
  return rows
}
