import type { DumpRecord } from '../store/dump-record.ts'

/**
 * Reads two states of a session side by side: pairs of records of the same type and number, undefined where one of them
 * has none. Memory holds one record of each.
 */
export async function* alignRecords(
  left: AsyncIterable<DumpRecord>,
  right: AsyncIterable<DumpRecord>,
): AsyncGenerator<readonly [DumpRecord | undefined, DumpRecord | undefined]> {
  const [lefts, rights] = [left[Symbol.asyncIterator](), right[Symbol.asyncIterator]()]
  try {
    let [first, second] = await Promise.all([next(lefts), next(rights)])
    while (first !== undefined || second !== undefined) {
      const order = compare(first, second)
      const [hasFirst, hasSecond] = [order <= 0, order >= 0]
      yield [hasFirst ? first : undefined, hasSecond ? second : undefined]
      const reads = [hasFirst ? next(lefts) : first, hasSecond ? next(rights) : second] as const
      ;[first, second] = await Promise.all(reads)
    }
  } finally {
    await Promise.all([lefts.return?.(), rights.return?.()])
  }
}

async function next(records: AsyncIterator<DumpRecord>): Promise<DumpRecord | undefined> {
  const step = await records.next()
  return step.done ? undefined : step.value
}

/** Which comes first: negative when only `left` is next, positive when only `right` is, 0 when both are. */
function compare(left: DumpRecord | undefined, right: DumpRecord | undefined): number {
  if (left === undefined) return 1
  if (right === undefined) return -1
  return TYPES.indexOf(left.type) - TYPES.indexOf(right.type) || recordNumber(left) - recordNumber(right)
}

/** In the order of a dump. */
const TYPES: readonly DumpRecord['type'][] = ['session', 'message', 'summary', 'frontier']

/** The number of a record among those of its type. */
export function recordNumber(record: DumpRecord): number {
  if (record.type === 'message') return record.seq
  if (record.type === 'summary') return record.number
  return record.type === 'frontier' ? record.version : 0
}
