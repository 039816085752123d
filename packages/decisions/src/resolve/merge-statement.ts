import type { CandidateChoice } from '../candidates/candidate.ts'
import type { Decision, MergedClause } from '../log/decision.ts'
import type { EventWriter } from './resolve-context.ts'
import { settleStatement } from './settle-statement.ts'
import { findKnown, type Statement } from './statement.ts'

/** Clauses that merges add to one decision; what would be one more is a decision of its own. */
export const MAX_MERGED = 8

/**
 * Makes a statement a part of a decision that stands: its source is one more, its words are a clause of L1. Nothing is
 * written anew, and who said what stays apart: what the user states is never the user's word for what the assistant
 * claimed. Such a claim becomes a clause of the user's statement instead, and ends in its favour.
 *
 * @returns The decision that the statement is a part of by then; undefined when the decision takes no more.
 */
export function mergeStatement(
  target: Decision,
  statement: Statement,
  writer: EventWriter,
): Decision | undefined {
  const { choice, source, authority } = statement
  const added: MergedClause = { ...wordsOf(choice, writer), source, authority }
  if (target.status === 'active' || statement.authority === 'proposed')
    return addClauses(target, [added], writer) ? writer.context.ledger.get(target.id) : undefined
  return absorb(target, statement, writer)
}

/** Begins the user's statement, with the claim as a clause of it. */
function absorb(claim: Decision, statement: Statement, writer: EventWriter): Decision | undefined {
  const { ledger, session } = writer.context
  const [first] = claim.sources
  // The text of another session is not at hand to prove the quote.
  if (first?.session !== session) return undefined
  settleStatement(statement, writer)
  const own = findKnown(statement, writer.context)?.decision
  if (own === undefined || own.id === claim.id || own.status !== 'active') return own
  const said: MergedClause = { ...wordsOf(claim, writer), source: first, authority: 'proposed' }
  if (!addClauses(own, [said, ...claim.merged], writer)) return own
  const { source, authority } = statement
  writer.write({ type: 'superseded', decision: claim.id, supersededBy: own.id, source, authority })
  return ledger.get(own.id)
}

function addClauses(target: Decision, clauses: readonly MergedClause[], writer: EventWriter): boolean {
  if (target.merged.length + clauses.length > MAX_MERGED) return false
  for (const clause of clauses) writer.write({ type: 'merged', decision: target.id, ...clause })
  return true
}

/** The words of a clause. Where L1 is a model's, the line stands for one that is missing; else the quote says it all. */
function wordsOf(
  { choice: text, l0, l1 }: CandidateChoice,
  { context }: EventWriter,
): Pick<MergedClause, 'text' | 'l1'> {
  const detail = l1 ?? (context.compare === 'category' ? l0 : undefined)
  return { text, ...(detail !== undefined && { l1: detail }) }
}
