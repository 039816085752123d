import type { Candidate, Span } from '../candidates/candidate.ts'
import type { Decision } from '../log/decision.ts'
import { normalArea, normalSlot } from '../log/normal-text.ts'
import type { Source } from '../log/source.ts'
import { sameValue } from '../slots/slots.ts'
import { boundChoice, CANDIDATE_BOUNDS, cutText } from './bounds.ts'
import { sourceOfSpan } from './candidate-source.ts'
import { decisionsOf, indexOf } from './ledger-index.ts'
import { saysNothingNew, wordsOf } from './near-text.ts'
import type { EventWriter, ResolveContext } from './resolve-context.ts'
import { inMeantSlot, settleAmendment } from './settle-amendment.ts'
import { settleRemark } from './settle-remark.ts'
import { beginDecision, settleProposal, settleStatement } from './settle-statement.ts'
import { findKnown, hadBefore, type Statement, standingWith, wasSaidBefore } from './statement.ts'
import { isProse, isTelling, valueKey } from './value-key.ts'

/** Words after which a contest is over: whoever says them means it. */
const FINAL =
  /(?<!\p{L})(?:final(?:ly decided)?|definitely|for good|once and for all|settled|endgültig|définitivement|definitiv[oa]|окончательно)(?!\p{L})|最终|最終/iu

/** Writes what one candidate means for the log. Without a source in the transcript it means nothing. */
export function settleCandidate(candidate: Candidate, writer: EventWriter): void {
  if (candidate.kind === 'accept') acceptProposals(candidate, writer)
  else if (candidate.kind === 'retract' && candidate.slot === 'rule') liftRules(candidate, writer)
  else if (candidate.kind === 'retract') retractDecisions(candidate, writer)
  else if (candidate.kind === 'remark') settleRemark(candidate, writer)
  else if (candidate.kind === 'amend') settleAmendment(candidate, writer)
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
  const isOpen = candidate.kind === 'assert' && candidate.isUsualSlot && isChange
  const isStated = candidate.kind === 'assert' && mayDecide(source, context)
  return {
    choice,
    source,
    authority: isStated ? 'stated' : 'proposed',
    isChange: isChange || FINAL.test(source.quote),
    ...(replaces !== undefined && { replaces: replaces.slice(0, CANDIDATE_BOUNDS.choice) }),
    ...(isOpen && inMeantSlot(choice, source, context)),
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

/**
 * Ends what a retraction names: a value of a slot, or the whole slot; in one area, or everywhere when it names none. A value
 * that names one thing is also found where another slot holds it. What is not known is not begun by being refused, and
 * what was said after the retraction stays. Words that are not the user's end only proposals.
 */
function retractDecisions(candidate: Extract<Candidate, { kind: 'retract' }>, writer: EventWriter): void {
  const { context } = writer
  const { ledger, scope, by } = context
  const { slot, value } = candidate
  const area = normalArea(candidate.area)
  const source = sourceOfSpan(candidate.span, context)
  if (source === undefined || (slot === '' && value === '')) return

  const index = indexOf(ledger)
  const names = (decision: Decision): boolean =>
    value === '' ? decision.slot === normalSlot(slot) : sameValue(decision.slot, decision.choice, value)
  // A choice that these words ended before may have been made again since.
  if (decisionsOf(index.endedAt(source), ledger).some(names)) return
  const isUsers = source.role === 'user' || by === 'import'
  const isMeant = (decision: Decision): boolean =>
    (area === '' || decision.area === area) &&
    (isUsers || decision.authority === 'proposed') &&
    wasSaidBefore(decision, source)
  const own =
    value === ''
      ? ledger.ofSlot(slot).filter((decision) => decision.scope === scope)
      : standingWith(slot, value, context)
  const elsewhere = (): Decision[] =>
    decisionsOf(index.ofValue(valueKey(value)), ledger)
      .filter(({ status }) => status === 'active' || status === 'proposed')
      .filter((decision) => decision.scope === scope)
  const found = isTelling(value) && !hadBefore(slot, value, source, context) ? elsewhere() : own
  const reason = candidate.reason === undefined ? '' : cutText(candidate.reason, CANDIDATE_BOUNDS.reason)
  for (const decision of found.filter(isMeant))
    writer.write({
      type: 'retracted',
      decision: decision.id,
      source,
      authority: isUsers ? 'stated' : 'proposed',
      ...(reason !== '' && { reason }),
    })
}

/** Ends the rules that say what a retraction says: "you don't need to run the tests any more". */
function liftRules(
  { span, value }: Extract<Candidate, { kind: 'retract' }>,
  { context, write }: EventWriter,
): void {
  const source = sourceOfSpan(span, context)
  const lifted = wordsOf(value)
  const [word = ''] = lifted.words
  if (source?.role !== 'user' || lifted.words.size < 2) return
  for (const rule of decisionsOf(indexOf(context.ledger).withWord(word), context.ledger))
    if (
      rule.status === 'active' &&
      rule.scope === context.scope &&
      isProse(rule.slot) &&
      saysNothingNew(lifted, wordsOf(rule.choice)) &&
      wasSaidBefore(rule, source)
    )
      write({ type: 'retracted', decision: rule.id, source, authority: 'stated' })
}
