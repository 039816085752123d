import type { Candidate, Span } from '../candidates/candidate.ts'
import type { Source } from '../log/source.ts'
import { boundChoice, CANDIDATE_BOUNDS } from './bounds.ts'
import { sourceOfSpan } from './candidate-source.ts'
import type { EventWriter } from './event-writer.ts'
import type { ResolveContext } from './resolve-context.ts'
import { retractDecisions } from './retract-decisions.ts'
import { settleRemark } from './settle-remark.ts'
import { beginDecision, settleProposal, settleStatement } from './settle-statement.ts'
import { findKnown, type Statement } from './statement.ts'

/** Words after which a contest is over: whoever says them means it. */
const FINAL =
  /(?<!\p{L})(?:final(?:ly decided)?|definitely|for good|once and for all|settled|endgültig|définitivement|definitiv[oa]|окончательно)(?!\p{L})|最终|最終/iu

/** Writes what one candidate means for the log. Without a source in the transcript it means nothing. */
export function settleCandidate(candidate: Candidate, writer: EventWriter): void {
  if (candidate.kind === 'accept') acceptProposals(candidate, writer)
  else if (candidate.kind === 'retract') retractDecisions(candidate, writer)
  else if (candidate.kind === 'remark') settleRemark(candidate, writer)
  else {
    const statement = statementOf(candidate, writer.context)
    if (statement === undefined) return
    if (statement.authority === 'proposed') settleProposal(statement, writer)
    else settleStatement(statement, writer)
  }
}

/**
 * The statement of a candidate. Only a user's message states; a find anywhere else is a proposal, whatever its reader takes
 * it for.
 */
export function statementOf(
  candidate: Extract<Candidate, { kind: 'assert' | 'propose' }>,
  context: ResolveContext,
): Statement | undefined {
  const choice = boundChoice(candidate.choice)
  const source = sourceOfSpan(candidate.span, context)
  if (choice === undefined || source === undefined) return undefined
  const { isChange, replaces } = candidate
  const isStated = candidate.kind === 'assert' && mayDecide(source, context)
  return {
    choice,
    source,
    authority: isStated ? 'stated' : 'proposed',
    isChange: isChange || FINAL.test(source.quote),
    ...(replaces !== undefined && { replaces: replaces.slice(0, CANDIDATE_BOUNDS.choice) }),
  }
}

/** Only the user decides, whoever found the words; an import answers for its file. */
function mayDecide({ role }: Source, { by }: ResolveContext): boolean {
  return role === 'user' || by === 'import'
}

/**
 * A proposal that the user takes up holds, and the one in its place is over: the user saw the proposal and said yes. A proposal that
 * the log does not know is written first, with its own words as the source.
 */
function acceptProposals(
  { choices, proposals, span }: Extract<Candidate, { kind: 'accept' }>,
  writer: EventWriter,
): void {
  const { context } = writer
  const source = sourceOfSpan(span, context)
  if (source === undefined || !mayDecide(source, context)) return
  choices.slice(0, CANDIDATE_BOUNDS.choices).forEach((given, index) => {
    const choice = boundChoice(given)
    if (choice === undefined) return
    const statement: Statement = { choice, source, authority: 'accepted', isChange: true }
    if (findKnown(statement, context) === undefined) proposeFirst(statement, proposals[index], writer)
    settleStatement(statement, writer)
  })
}

function proposeFirst(statement: Statement, span: Span | undefined, writer: EventWriter): void {
  const source = span && sourceOfSpan(span, writer.context)
  if (source) beginDecision('proposed', { ...statement, source, authority: 'proposed' }, [], writer)
}
