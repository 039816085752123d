import type { Decision } from '../log/decision.ts'
import { strongerAuthority } from '../log/decision-event.ts'
import { decisionId } from '../log/ids.ts'
import { isBefore } from '../log/source.ts'
import { endByLaterChange, endRivals, markArea, rivalsOf } from './end-rivals.ts'
import { findDependencies } from './find-dependencies.ts'
import type { EventWriter } from './resolve-context.ts'
import { findKnown, isDoubted, isSameChoice, type Statement, standingIn, wasSaidBefore } from './statement.ts'
import { isProse } from './value-key.ts'

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
const MAX_STANDING = 32

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

/** Words with which an assistant says that something is so by now or will be, and words with which it only suggests. */
const ANNOUNCES =
  /(?<!\p{L})(?:i(?:'ll| will|'ve| have|'m (?:going|using)| am (?:going|using)| (?:also |just |now |then |went ahead and )*(?:\p{L}+ed|went|chose|took|set|made|put|built|wrote))|now|instead|ich (?:habe|werde|nutze|nehme)|j'ai|je (?:vais|passe)|he (?:cambiado|usado|puesto)|voy a|mudei|troquei|vou|я (?:заменил|переш[её]л|использую|использовал|буду))(?!\p{L})|我(?:已|会|将|改|用)|に(?:変更|切り替え)/iu
const SUGGESTS =
  /[?？]|(?<!\p{L})(?:suggest\w*|recommend\w*|propos\w*|could|would|'d|should|might|may|if|shall|let's|option|alternatively|consider|prefer|empfehle|schlage|könnten?|würde|sugiero|propongo|podríamos|sugiro|poderíamos|предлагаю|можно|лучше)(?!\p{L})|建议|可以|お勧め|提案|추천|제안/iu

/**
 * An assistant that takes another value than the user stated does so unasked: the stated one is contested until the user
 * speaks. A suggestion contests nothing.
 */
function contestUnasked(statement: Statement, writer: EventWriter): void {
  const { choice, source, authority } = statement
  const { slot, area, cardinality } = choice
  const isDone = ANNOUNCES.test(source.quote) && !SUGGESTS.test(source.quote)
  if (!isDone || cardinality === 'many' || isProse(slot) || source.role === 'user') return
  standingIn(slot, area, writer.context)
    .filter(({ status, authority: on }) => status === 'active' && (on === 'stated' || on === 'accepted'))
    .filter((stated) => wasSaidBefore(stated, source) && !isSameChoice(statement, stated))
    // It is enough to say once that the assistant does otherwise.
    .filter(({ remarks }) => remarks.every(({ role }) => role === 'user'))
    .forEach(({ id }) => {
      writer.write({ type: 'remarked', decision: id, source, authority })
    })
}
