import { createPause } from '@palimpsest/core'
import { StoreError } from '../errors/store-error.ts'
import type { AppendInput, CommitInput, LcmSession } from '../store/lcm-session.ts'
import type { SummaryNode } from '../store/summary-node.ts'
import type { ContextWindow } from './window.ts'
import type { NewMessage } from './window-message.ts'

/** A write that a session is to make. */
export type StoreWrite =
  | { readonly type: 'append'; readonly input: AppendInput }
  | { readonly type: 'commit'; readonly input: CommitInput }

/**
 * Brings writes to the store in their order. What fails waits and is tried again before the next one, so that a full
 * disk costs nothing: the conversation goes on with what is in memory, and the store catches up.
 */
export interface StoreWriter {
  /** Rejects with the `StoreError` of the first write that failed; it and all behind it wait. */
  write(...writes: readonly StoreWrite[]): Promise<void>
  readonly waiting: readonly StoreWrite[]
  /** Drops what waits, because it does not fit any more. */
  drop(): void
}

export function createStoreWriter(open: () => Promise<LcmSession>): StoreWriter {
  let waiting: StoreWrite[] = []
  return {
    get waiting() {
      return waiting
    },
    async write(...writes) {
      waiting.push(...writes)
      if (waiting.length === 0) return
      const session = await open()
      const pause = createPause()
      for (let next = waiting[0]; next !== undefined; next = waiting[0]) {
        if (next.type === 'append') await session.append(next.input)
        else await session.commit(next.input)
        waiting.shift()
        // A store in the process may not wait for anything: others get their turn.
        if (waiting.length > 0) await pause()
      }
    },
    drop() {
      waiting = []
    },
  }
}

/** Messages of one transaction: a long history comes in several, so that it does not hold up everything else. */
const BATCH = 25

/** Writes that append messages behind `nextSeq`, on the frontier `version`. */
export function appendWrites(
  fresh: readonly NewMessage[],
  { nextSeq, version, at }: Pick<AppendInput, 'nextSeq' | 'at'> & { readonly version: number },
): StoreWrite[] {
  const writes: StoreWrite[] = []
  for (let start = 0; start < fresh.length; start += BATCH) {
    const messages = fresh.slice(start, start + BATCH).map(({ encoded }) => encoded)
    writes.push({ type: 'append', input: { nextSeq: nextSeq + start, version, messages, at } })
  }
  return writes
}

/** Summaries of one transaction: each is also indexed for searches. */
const SUMMARIES = 8

/**
 * Writes that put a new frontier in force. The many summaries of a long history come in several, so that they do not hold
 * up everything else, and only the last one changes the list: an undo takes back all of it.
 */
export function commitWrites(
  { nodes: before, version }: Pick<ContextWindow, 'nodes' | 'version'>,
  after: readonly SummaryNode[],
  created: readonly SummaryNode[],
  rest: Pick<CommitInput, 'at' | 'lease'>,
): StoreWrite[] {
  const writes: StoreWrite[] = []
  for (let start = 0; start === 0 || start < created.length; start += SUMMARIES) {
    const end = start + SUMMARIES
    const summaries = (end < created.length ? before : after).map(({ number }) => number)
    const input = { version: version + writes.length, create: created.slice(start, end), summaries }
    writes.push({ type: 'commit', input: { ...rest, ...input, reason: 'compaction' } })
  }
  return writes
}

/** True when what waits does not fit any more: another writer was faster, or summaries cover what was replaced. */
export function isConflict(error: unknown): boolean {
  return (
    StoreError.isInstance(error) && (error.code === 'STORE_CONFLICT' || error.code === 'INVALID_FRONTIER')
  )
}
