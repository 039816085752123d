import type { Candidate, CandidateChoice } from '../candidates/candidate.ts'
import { type Decision, isRemark } from '../log/decision.ts'
import type { Source } from '../log/source.ts'
import { amendedValue, haveSameUnit } from '../slots/amended-value.ts'
import { sameValue, slotsFilledBy } from '../slots/slots.ts'
import { boundChoice } from './bounds.ts'
import { sourceOfSpan } from './candidate-source.ts'
import { decisionsOf, indexOf } from './ledger-index.ts'
import type { EventWriter, ResolveContext } from './resolve-context.ts'
import { beginDecision, settleStatement } from './settle-statement.ts'
import { type Statement, standingIn } from './statement.ts'

/**
 * Writes what a user's words mean for the turn before: what was decided there is taken back and what ended there holds again, or
 * the one value that can be changed that way becomes another one.
 */
export function settleAmendment(candidate: Extract<Candidate, { kind: 'amend' }>, writer: EventWriter): void {
  const { context } = writer
  const source = sourceOfSpan(candidate.span, context)
  if (source?.role !== 'user') return
  const last = saidBefore(source, context)
  if (candidate.value === '') takeBack(last, source, writer)
  else changeValue(last, candidate, source, writer)
}

const isTurnBefore = (said: Source, { session, turn }: Source): boolean =>
  said.session === session && said.turn === turn - 1

/** The decisions and proposals of the turn before, as far as they stand. */
function saidBefore(source: Source, { ledger, scope }: ResolveContext): Decision[] {
  return decisionsOf(indexOf(ledger).newest(), ledger).filter(
    (decision) =>
      (decision.status === 'active' || decision.status === 'proposed') &&
      decision.scope === scope &&
      !isRemark(decision) &&
      decision.sources.some((said) => isTurnBefore(said, source)),
  )
}

/** Words that put one thing in the place of another, where both could stand beside each other. */
const REPLACES = /\b(?:instead|rather|switch\w*|mean|meant|no|make (?:it|that))\b/i

/**
 * A change without a word that says what it is of, in the place of what it can take the place of in the turn before: "use Redis
 * instead" behind "RabbitMQ for the queue" is about the queue. Not where it changes something in its usual slot.
 */
export function inMeantSlot(
  choice: CandidateChoice,
  source: Source,
  context: ResolveContext,
): Pick<Statement, 'choice' | 'replaces'> {
  const { slot, area, choice: value } = choice
  const { ledger } = context
  const slots = slotsFilledBy(value)
  const isOther = (decision: Decision): boolean => !sameValue(decision.slot, decision.choice, value)
  // What these words took the place of is over when they are read again.
  const own = slots.flatMap((one) => decisionsOf(indexOf(ledger).saidAt(one, source), ledger))
  const before = own.find((decision) => !isOther(decision))
  if (before !== undefined) return { choice: inPlaceOf(before, choice) }
  const [meant, ...others] = saidBefore(source, context).filter(
    (decision) =>
      isOther(decision) && slots.includes(decision.slot) && (area === '' || decision.area === area),
  )
  if (meant === undefined || (meant.cardinality === 'many' && !REPLACES.test(source.quote))) return { choice }
  const rivals = choice.cardinality === 'many' ? [] : standingIn(slot, area, context)
  const isUnclear =
    others.some((other) => other.slot !== meant.slot || other.area !== meant.area) ||
    rivals.some((rival) => isOther(rival) && rival.id !== meant.id)
  return isUnclear ? { choice } : { choice: inPlaceOf(meant, choice), replaces: meant.choice }
}

function inPlaceOf(old: Decision, choice: CandidateChoice): CandidateChoice {
  const { slot, area, category, cardinality } = old
  const l0 = old.l0.replace(old.choice, () => choice.choice)
  return { ...choice, slot, area, category, cardinality, l0 }
}

function takeBack(last: readonly Decision[], source: Source, writer: EventWriter): void {
  const { ledger, scope } = writer.context
  const ids = [
    ...indexOf(ledger).newest(),
    ...last.flatMap(({ supersedes }) => supersedes.map(({ id }) => id)),
  ]
  const ended = decisionsOf([...new Set(ids)], ledger).filter(
    (old) => old.scope === scope && old.ended !== undefined && isTurnBefore(old.ended.source, source),
  )
  const by = { source, authority: 'stated' as const }
  for (const { id, authority } of last)
    if (authority !== 'proposed') writer.write({ type: 'retracted', decision: id, ...by })
  for (const old of ended) {
    const choice = isRemark(old) || old.authority === 'proposed' ? undefined : boundChoice(old)
    if (choice) beginDecision('asserted', { choice, isChange: false, ...by }, [], writer)
  }
}

function changeValue(
  last: readonly Decision[],
  candidate: Extract<Candidate, { kind: 'amend' }>,
  source: Source,
  writer: EventWriter,
): void {
  // Read again, the words would change what is left.
  if (indexOf(writer.context.ledger).endedAt(source).length > 0) return
  const possible = last.flatMap((decision) => {
    const choice = amendedValue(decision.slot, decision.choice, candidate)
    return choice === undefined ? [] : [{ decision, choice }]
  })
  const alike = possible.filter(({ decision }) => haveSameUnit(decision.choice, candidate.value))
  const changed = alike.length > 0 ? alike : possible
  const [stated = changed[0], ...others] = changed.filter(({ decision }) => decision.status === 'active')
  if (
    stated === undefined ||
    others.length > 0 ||
    new Set(changed.map(({ decision }) => decision.slot)).size > 1
  )
    return
  const { l0, choice: replaces } = stated.decision
  const choice = boundChoice({
    ...stated.decision,
    choice: stated.choice,
    l0: l0.replace(replaces, () => stated.choice),
  })
  if (choice) settleStatement({ choice, source, authority: 'stated', isChange: true, replaces }, writer)
}
