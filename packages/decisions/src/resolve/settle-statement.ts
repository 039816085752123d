import { strongerAuthority } from '../log/authority.ts'
import type { Decision } from '../log/decision.ts'
import { decisionId } from '../log/ids.ts'
import { isBefore } from '../log/positions.ts'
import { contestUnasked } from './contest-unasked.ts'
import { endByLaterChange, endRivals, markArea, rivalsOf } from './end-rivals.ts'
import type { EventWriter } from './event-writer.ts'
import { findDependencies } from './find-dependencies.ts'
import { findKnown, isDoubted, type Statement, standingIn } from './statement.ts'

/** Quotes of one decision that are kept. After that, only a stronger authority and what ends a suspicion are recorded. */
export const MAX_CONFIRMATIONS = 8

/**
 * Writes what a statement means. Equal to what stands: one more quote of it. New: asserted, and what it replaces is over;
 * without a word of change, both sides stand and are contested. An acceptance takes the place of whatever stood.
 */
export function settleStatement(statement: Statement, writer: EventWriter): void {
  const { context } = writer
  const known = findKnown(statement, context)
  if (known?.as === 'over') return
  if (known?.as === 'standing') confirmDecision(known.decision, statement, writer)
  const rivals = rivalsOf(statement, writer)
  const decision = known
    ? context.ledger.get(known.decision.id)
    : beginDecision('asserted', statement, rivals, writer)
  if (decision?.status !== 'active') return
  endRivals(rivals, decision, statement, writer)
  if (known) return
  markArea(decision, statement, writer)
  endByLaterChange(decision, statement, writer)
}

/**
 * Writes a proposal, unless it repeats what stands, stood then or was proposed: an assistant's word confirms nothing. What
 * the user stated is contested by what the assistant does instead.
 */
export function settleProposal(statement: Statement, writer: EventWriter): void {
  const known = findKnown(statement, writer.context)
  if (known === undefined) beginDecision('proposed', { ...statement, authority: 'proposed' }, [], writer)
  if (known?.as !== 'over') contestUnasked(statement, writer)
}

/** One more quote of a decision that stands, if it adds something: see `MAX_CONFIRMATIONS`. */
export function confirmDecision(
  decision: Decision,
  { source, authority }: Pick<Statement, 'source' | 'authority'>,
  writer: EventWriter,
): void {
  const { status, sources, suspectOf } = decision
  const isUsers = authority === 'stated' || authority === 'accepted'
  const takesUp = status === 'proposed' && isUsers
  const strengthens = strongerAuthority(authority, decision.authority) !== decision.authority
  const end = suspectOf === undefined ? undefined : writer.context.ledger.get(suspectOf)?.ended
  const clears =
    (isUsers && isDoubted(decision, source)) || (end !== undefined && isBefore(end.source, source))
  if (sources.length > MAX_CONFIRMATIONS && !strengthens && !clears) return
  writer.write({ type: takesUp ? 'accepted' : 'reaffirmed', decision: decision.id, source, authority })
}

/**
 * Values of one single-valued slot and area that stand beside each other, contested or proposed. One more is not
 * taken: no reader could tell what holds, and a word of change ends them all.
 */
export const MAX_STANDING = 32

/** Begins a decision and returns it. */
export function beginDecision(
  type: 'asserted' | 'proposed',
  { choice: said, source, authority }: Statement,
  replaced: readonly Decision[],
  writer: EventWriter,
): Decision | undefined {
  const { context } = writer
  const { slot, area, cardinality } = said
  if (cardinality === 'one' && standingIn(slot, area, context).length - replaced.length >= MAX_STANDING)
    return undefined
  const over = new Set(replaced.map(({ id }) => id))
  const choice = { ...said, dependsOn: findDependencies(said, source.quote, context, over) }
  const id = decisionId(context.scope, choice, source)
  writer.write({ type, decision: id, choice, source, authority })
  return context.ledger.get(id)
}
