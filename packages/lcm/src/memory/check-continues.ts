import {
  compareStates,
  frontierProof,
  messageProof,
  stateConflict,
  summaryProof,
} from '../dump/session-proofs.ts'
import { sessionRecord } from './dump-session.ts'
import type { SessionState } from './session-state.ts'

/**
 * Refuses two states of a session of which neither continues the other. What was forgotten in one of them counts
 * as equal: its hash is still there.
 *
 * @returns Whether `other` goes on behind `existing`.
 * @throws StoreConflictError
 */
export function checkContinues(existing: SessionState, other: SessionState): boolean {
  const order = compareStates(sessionRecord(existing), sessionRecord(other))
  const same =
    agree(existing.messages, other.messages, messageProof) &&
    agree(existing.summaries, other.summaries, summaryProof) &&
    agree(existing.versions, other.versions, frontierProof)
  if (!same) throw stateConflict(existing.key)
  return order === 1
}

/** True when two lists are equal as far as both go. */
function agree<T>(left: readonly T[], right: readonly T[], proof: (item: T) => string): boolean {
  const [shorter, longer] = left.length <= right.length ? [left, right] : [right, left]
  return shorter.every((item, index) => proof(item) === proof(longer[index] as T))
}
