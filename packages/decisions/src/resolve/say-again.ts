import type { Decision } from '../log/decision.ts'
import { l1Clauses } from '../render/l1-clauses.ts'
import type { EventWriter } from './event-writer.ts'
import { textOf } from './ledger-index.ts'
import { mergeStatement } from './merge-statement.ts'
import { saysNothingNew, wordsOf } from './near-text.ts'
import { confirmDecision } from './settle-statement.ts'
import type { Statement } from './statement.ts'

/**
 * Writes what a statement says again of a decision that stands, and the detail that it adds. False when the statement has
 * to stand by itself.
 */
export function sayAgain(same: Decision, statement: Statement, writer: EventWriter): boolean {
  const { choice, authority } = statement
  const isClaim = authority === 'proposed'
  // A short word of the user's does not make all of a longer claim the user's.
  if (
    !isClaim &&
    same.status === 'proposed' &&
    !saysNothingNew(wordsOf(textOf(same)), wordsOf(textOf(choice)))
  )
    return mergeStatement(same, statement, writer) !== undefined
  if (!isClaim) confirmDecision(same, statement, writer)
  const now = writer.context.ledger.get(same.id)
  if (now !== undefined && addsDetail(now, statement)) mergeStatement(now, statement, writer)
  return true
}

/** Whether a statement has a clause of L1 that a decision does not have. */
export function addsDetail(decision: Decision, { choice, source, authority }: Statement): boolean {
  if (choice.l1 === undefined) return false
  const added = { text: choice.choice, l1: choice.l1, source, authority }
  const merged = [...decision.merged, added]
  return l1Clauses({ ...decision, merged }).length > l1Clauses(decision).length
}
