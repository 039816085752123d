import type { Candidate } from '../candidates/candidate.ts'
import type { Decision } from '../log/decision.ts'
import { l1Clauses } from '../render/l1-clauses.ts'
import { alike, findNeighbours, MAX_NEIGHBOURS, nearestOfCategory } from './find-neighbours.ts'
import { decisionsOf, indexOf, textOf } from './ledger-index.ts'
import { mergeStatement } from './merge-statement.ts'
import { saysNothingNew, wordsOf } from './near-text.ts'
import {
  createEventWriter,
  type EventWriter,
  type Residue,
  type ResolveContext,
  type Resolved,
} from './resolve-context.ts'
import { settleCandidate, statementOf } from './settle-candidate.ts'
import { confirmDecision } from './settle-statement.ts'
import { findKnown, isDoubted, type Statement, standingIn } from './statement.ts'
import { isProse, valueKey } from './value-key.ts'

export type { Residue, ResolveContext, Resolved } from './resolve-context.ts'

/**
 * Works out the events that candidates add to a log. It changes nothing: the caller checks the events, keeps them, and then
 * appends them to the ledger. Candidates that were resolved before add nothing. They are taken in the order of the
 * transcript, and one that is found late is placed where it was said: it ends nothing that was said after it.
 *
 * Cheap comparisons come first: the same words at the same place, the same value in the same slot and area, sentences that say
 * nothing new (by their words), and only then what may mean the same. Of that last kind, what a model found is
 * left as residue for `judgeResidue`, together with a contradiction to what stands without a word of change. Any other
 * find is kept beside what it resembles: two rules too many do less harm than one that is missing.
 *
 * - An area's choice leaves the choice for the whole project active, superseded in that area. A choice for the whole
 *   project ends only what stands for the whole project; an area's choice stays, unless the words name its value.
 * - Names that change again: `name:a` → b gives way to `name:b` → c, so that the chain a, b, c can be walked.
 * - One candidate begins at most one decision for each of its choices; a decision ends once and has at most 8 quotes more
 *   than its first, besides those that strengthen it or clear a suspicion. So the log grows with what is decided, not
 *   with how often it is said.
 */
export function resolveCandidates(candidates: readonly Candidate[], context: ResolveContext): Resolved {
  const writer = createEventWriter(context)
  const residue: Residue[] = []
  for (const candidate of [...candidates].sort(asSaid)) {
    const open = weighCandidate(candidate, writer)
    if (open === 'settled') continue
    if (open.length > 0) residue.push({ candidate, neighbours: open })
    else settleCandidate(candidate, writer)
  }
  return { events: writer.events, residue }
}

/**
 * The nearest decisions that leave open what a candidate means, at most 5; `settled` when it only says again what one of
 * them says, which is written then.
 */
export function weighCandidate(candidate: Candidate, writer: EventWriter): readonly Decision[] | 'settled' {
  const { context } = writer
  if (candidate.kind !== 'assert' && candidate.kind !== 'propose') return []
  const statement = statementOf(candidate, context)
  if (statement === undefined) return []
  const known = findKnown(statement, context)
  if (known !== undefined) {
    const isMore = known.as === 'standing' && addsDetail(known.decision, statement)
    return isMore && sayAgain(known.decision, statement, writer) ? 'settled' : []
  }
  const twin = context.by === 'model' ? saidThere(statement, candidate, context) : undefined
  const isSentence = isProse(statement.choice.slot)
  const neighbours = isSentence && twin === undefined ? findNeighbours(statement.choice, context) : []
  const same = twin ?? neighbours.find(({ isSame }) => isSame)?.decision
  if (same !== undefined) return sayAgain(same, statement, writer) ? 'settled' : []
  if (context.by !== 'model') return []
  if (context.compare === 'category') return nearestOfCategory(statement.choice, context)
  const open = isSentence
    ? alike(neighbours).map(({ decision }) => decision)
    : contradicted(statement, context)
  return open.slice(0, MAX_NEIGHBOURS)
}

/** A decision for the same value that was read in the same message: a model that reads it again may call the slot otherwise. */
function saidThere(
  { choice }: Statement,
  { span }: Candidate,
  { ledger, scope, session }: ResolveContext,
): Decision | undefined {
  const index = indexOf(ledger)
  const key = valueKey(choice.choice)
  return decisionsOf([...index.ofValue(key), ...index.withMerged(key)], ledger).find(
    ({ status, sources, ...other }) =>
      (status === 'active' || status === 'proposed') &&
      other.scope === scope &&
      sources.some((source) => source.session === session && source.message === span.message),
  )
}

/** Decisions that a statement contradicts without saying that anything changes. */
function contradicted(
  { choice, source, authority: on, isChange, replaces }: Statement,
  context: ResolveContext,
): Decision[] {
  if (on !== 'stated' || isChange || replaces !== undefined || choice.cardinality === 'many') return []
  return standingIn(choice.slot, choice.area, context).filter(
    (known) => known.status === 'active' && !isDoubted(known, source),
  )
}

/**
 * In the order of the transcript; at one place, what ends something comes behind what takes its place, and so does in one message
 * what takes back an earlier one.
 */
function asSaid(a: Candidate, b: Candidate): number {
  return (
    a.span.message - b.span.message ||
    Number(a.kind === 'amend') - Number(b.kind === 'amend') ||
    a.span.start - b.span.start ||
    Number(a.kind === 'retract') - Number(b.kind === 'retract')
  )
}

/**
 * Writes what a statement says again of a decision that stands, and the detail that it adds. False when the statement has
 * to stand by itself.
 */
function sayAgain(same: Decision, statement: Statement, writer: EventWriter): boolean {
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
function addsDetail(decision: Decision, { choice, source, authority }: Statement): boolean {
  if (choice.l1 === undefined) return false
  const added = { text: choice.choice, l1: choice.l1, source, authority }
  const merged = [...decision.merged, added]
  return l1Clauses({ ...decision, merged }).length > l1Clauses(decision).length
}
