import type { CandidateChoice } from '../candidates/candidate.ts'
import type { Decision } from '../log/decision.ts'
import type { Authority } from '../log/decision-event.ts'
import { isBefore, isOverBy, type Source } from '../log/source.ts'
import { sameValue } from '../slots/slots.ts'
import { decisionsOf, indexOf } from './ledger-index.ts'
import type { ResolveContext } from './resolve-context.ts'
import { saysMore } from './value-key.ts'

/** A choice with its source, bounded: what is left of a candidate when it is clear who says it and where. */
export interface Statement {
  readonly choice: CandidateChoice
  readonly source: Source
  readonly authority: Authority
  /** True when what stood before in the same slot and area is over. */
  readonly isChange: boolean
  /** The value that is over. */
  readonly replaces?: string
}

/** A decision with the value of a statement: it stands, was over by then, or has this very source. */
export interface Known {
  readonly decision: Decision
  readonly as: 'standing' | 'over' | 'said'
}

/** Active and proposed decisions of a slot in an area, in the scope of a call. */
export function standingIn(slot: string, area: string, { ledger, scope }: ResolveContext): Decision[] {
  return decisionsOf(indexOf(ledger).standing(slot, area), ledger).filter((known) => known.scope === scope)
}

/** Active and proposed decisions of a slot with a value, in any area, in the scope of a call. */
export function standingWith(slot: string, value: string, { ledger, scope }: ResolveContext): Decision[] {
  const ids = indexOf(ledger).withValue(slot, value).slice(-MAX_SAME)
  return decisionsOf(ids, ledger)
    .filter(({ status }) => status === 'active' || status === 'proposed')
    .filter((known) => known.scope === scope && sameValue(slot, known.choice, value))
}

/**
 * Looks for the value of a statement in its slot and area. What holds for the whole project holds for an area that has no
 * choice of its own.
 */
export function findKnown(statement: Statement, context: ResolveContext): Known | undefined {
  const { choice, source } = statement
  const { slot, area } = choice
  const index = indexOf(context.ledger)
  const isEqual = (decision: Decision): boolean =>
    decision.scope === context.scope && isSameChoice(statement, decision)
  const decisions = (ids: readonly string[]): Decision[] => decisionsOf(ids, context.ledger).filter(isEqual)
  const isHere = (known: Decision): boolean => known.area === area || known.area === ''

  const said = decisions(index.saidAt(slot, source)).find(isHere)
  if (said) return { decision: said, as: 'said' }
  const hasOwn =
    area !== '' &&
    standingIn(slot, area, context).some(
      (known) => known.status === 'active' && wasBegunBefore(known, source),
    )
  const equal = standingWith(slot, choice.choice, context).filter(isEqual)
  const own = equal.find((known) => known.area === area)
  const wide = hasOwn ? undefined : equal.find((known) => known.area === '' && known.status === 'active')
  const found = own ?? wide
  if (found) return { decision: found, as: 'standing' }
  const last = lastOf(
    index.withValue(slot, choice.choice),
    context,
    (known) => isHere(known) && isEqual(known),
  )
  return last?.ended && isOverBy(source, last.ended.source) ? { decision: last, as: 'over' } : undefined
}

/** Whether a decision of the same slot says what a statement says. A version says more. */
export function isSameChoice({ choice, authority }: Statement, decision: Decision): boolean {
  if (!sameValue(choice.slot, decision.choice, choice.choice)) return false
  const isWord = authority === 'stated' || authority === 'accepted'
  return !isWord || !saysMore(choice.choice, decision.choice)
}

/** Decisions with one value of a slot that are looked through, the newest or the oldest. */
const MAX_SAME = 64

function lastOf(
  ids: readonly string[],
  { ledger }: ResolveContext,
  isMeant: (decision: Decision) => boolean,
): Decision | undefined {
  for (const id of ids.slice(-MAX_SAME).toReversed()) {
    const decision = ledger.get(id)
    if (decision && isMeant(decision)) return decision
  }
  return undefined
}

/** Whether a slot had a value before something was said, whatever became of it. */
export function hadBefore(slot: string, value: string, source: Source, { ledger }: ResolveContext): boolean {
  const ids = indexOf(ledger).withValue(slot, value).slice(0, MAX_SAME)
  return decisionsOf(ids, ledger).some((known) => wasBegunBefore(known, source))
}

function wasBegunBefore({ sources: [first] }: Decision, source: Source): boolean {
  return first === undefined || isBefore(first, source)
}

/** Whether a remark before a statement leaves open whether a decision holds. */
export function isDoubted({ remarks }: Decision, source: Source): boolean {
  return remarks.some((remark) => !isOverBy(source, remark))
}

/** Whether everything that was said for a decision was said before. */
export function wasSaidBefore(decision: Decision, source: Source): boolean {
  return decision.sources.every((known) => isBefore(known, source))
}
