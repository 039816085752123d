import type { DumpRecord } from '../store/dump-record.ts'
import type { SeqRange } from '../store/lcm-session.ts'
import { rangeRef, summaryRef } from '../tools/refs.ts'

export interface RefList {
  /** Messages come by ascending number. Other records than messages and summaries have no name. */
  add(record: DumpRecord): void
  /** Such as `m3-m5` and `s2`. */
  refs(): string[]
}

/** A list that is short for many messages in a row. */
export function createRefList(): RefList {
  const ranges: SeqRange[] = []
  const summaries: number[] = []
  return {
    add(record) {
      if (record.type === 'summary') summaries.push(record.number)
      if (record.type !== 'message') return
      const { seq } = record
      const run = ranges.at(-1)
      if (run?.last === seq - 1) ranges[ranges.length - 1] = { first: run.first, last: seq }
      else ranges.push({ first: seq, last: seq })
    },
    refs: () => [...ranges.map(({ first, last }) => rangeRef(first, last)), ...summaries.map(summaryRef)],
  }
}
