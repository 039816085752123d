import { StoreConflictError } from '../errors/store-conflict-error.ts'
import { countLive } from '../history/replaced-ranges.ts'
import type { SummaryNode } from '../store/summary-node.ts'
import type { MessageRow, SessionState } from './session-state.ts'

/**
 * Refuses two states of a session of which neither continues the other. What was forgotten in one of them counts
 * as equal: its hash is still there.
 *
 * @throws StoreConflictError
 */
export function checkContinues(existing: SessionState, other: SessionState): void {
  const [shorter, longer] = sizesOf(existing) <= sizesOf(other) ? [existing, other] : [other, existing]
  const same =
    shorter.createdAt === longer.createdAt &&
    originOf(shorter) === originOf(longer) &&
    begins(longer.messages, shorter.messages, proofOfMessage) &&
    begins(longer.summaries, shorter.summaries, proofOfSummary) &&
    begins(longer.versions, shorter.versions, JSON.stringify) &&
    shorter.replaced.every(({ first, last }) => countLive(longer.replaced, first, last) === 0)
  const settled =
    sizesOf(shorter) < sizesOf(longer) || JSON.stringify(shorter.replaced) === JSON.stringify(longer.replaced)
  if (!same || !settled)
    throw new StoreConflictError(
      `there is a session ${existing.key} already with something else in it; import into another store`,
    )
}

function sizesOf({ messages, summaries, versions }: SessionState): number {
  return messages.length + summaries.length + versions.length
}

function originOf({ parent }: SessionState): string {
  return JSON.stringify(parent && [parent.state.key, parent.seq, parent.summary])
}

function begins<T>(longer: readonly T[], shorter: readonly T[], proof: (item: T) => string): boolean {
  if (shorter.length > longer.length) return false
  return shorter.every((item, index) => proof(item) === proof(longer[index] as T))
}

function proofOfMessage({ seq, role, hostId, at, tokens, hash }: MessageRow): string {
  return JSON.stringify([seq, role, hostId, at, tokens, hash])
}

function proofOfSummary({ text: _text, forgotten: _forgotten, children, ...rest }: SummaryNode): string {
  const { number, tokens, sourceTokens, at, from, to, hash } = rest
  return JSON.stringify([number, children, tokens, sourceTokens, at, from, to, hash])
}
