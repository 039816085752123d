import type { Hash } from 'node:crypto'
import { StoreError } from '../errors/store-error.ts'
import type { DumpRecord } from '../store/dump-record.ts'
import type { SeqRange } from '../store/lcm-session.ts'
import { rangeRef, summaryRef } from '../tools/refs.ts'
import { alignRecords } from './align-records.ts'
import { dumpLine } from './dump-line.ts'
import { compareStates, recordProof } from './session-proofs.ts'

/**
 * A session at the destination of a copy, compared with its source:
 * - `equal`: the same bytes. `digest` is the hash that went in, with the lines of the session behind it.
 * - `behind`: the beginning of what the source has.
 * - `ahead`: what the source has, and more.
 * - `forgotten`: the same, but for content that was forgotten at one end only, by the list of that end.
 * - `diverged`: something else.
 */
export type Comparison =
  | { readonly state: 'equal'; readonly digest: Hash }
  | { readonly state: 'behind' }
  | { readonly state: 'ahead' | 'diverged' }
  | {
      readonly state: 'forgotten'
      readonly source: readonly string[]
      readonly destination: readonly string[]
    }

/** Compares two sound states of a session, record by record and by the hash of all of them. Reads each once. */
export async function compareSessions(
  source: AsyncIterable<DumpRecord>,
  destination: AsyncIterable<DumpRecord>,
  before: Hash,
): Promise<Comparison> {
  const digests = [before.copy(), before.copy()] as const
  const forgotten = [createRefList(), createRefList()] as const
  let order: Order = 0
  for await (const [left, right] of alignRecords(source, destination)) {
    if (left !== undefined) digests[0].update(`${dumpLine(left)}\n`)
    if (right !== undefined) digests[1].update(`${dumpLine(right)}\n`)
    if (left === undefined || right === undefined) continue
    if (left.type === 'session' && right.type === 'session') {
      const found = orderOf(left, right)
      if (found === undefined) return { state: 'diverged' }
      order = found
    } else if (recordProof(left) !== recordProof(right)) return { state: 'diverged' }
    if (isForgotten(left) && !isForgotten(right)) forgotten[0].add(left)
    if (isForgotten(right) && !isForgotten(left)) forgotten[1].add(right)
  }
  if (order !== 0) return { state: order === 1 ? 'behind' : 'ahead' }
  if (digests[0].copy().digest('hex') === digests[1].digest('hex'))
    return { state: 'equal', digest: digests[0] }
  const [atSource, atDestination] = forgotten.map((list) => list.refs()) as [string[], string[]]
  if (atSource.length + atDestination.length === 0) return { state: 'diverged' }
  return { state: 'forgotten', source: atSource, destination: atDestination }
}

type Order = -1 | 0 | 1

type SessionRecord = Extract<DumpRecord, { type: 'session' }>

/** 1 when the source goes on behind the destination; undefined when neither can continue the other. */
function orderOf(source: SessionRecord, destination: SessionRecord): Order | undefined {
  try {
    return compareStates(destination, source)
  } catch (error) {
    if (StoreError.isInstance(error) && error.code === 'STORE_CONFLICT') return undefined
    throw error
  }
}

function isForgotten(record: DumpRecord): boolean {
  return 'forgotten' in record && record.forgotten !== undefined
}

/** Names of messages and summaries, such as `m3-m5` and `s2`: short for many messages in a row, which come by ascending number. */
function createRefList() {
  const ranges: SeqRange[] = []
  const summaries: number[] = []
  return {
    add(record: DumpRecord): void {
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
