import type { Decision } from '../log/decision.ts'
import { isBefore } from '../log/source.ts'
import { refusalSlot, sameValue } from '../slots/slots.ts'
import { decisionsOf, indexOf } from './ledger-index.ts'
import type { EventWriter, ResolveContext } from './resolve-context.ts'
import {
  hadBefore,
  isDoubted,
  isSameChoice,
  type Statement,
  standingIn,
  standingWith,
  wasSaidBefore,
} from './statement.ts'
import { isTelling, nameKey, saysMore, slotPrefix, valueKey } from './value-key.ts'

/** Decisions for the whole project that one new choice for an area is marked on; more than one only when they are contested. */
const MAX_MARKED = 4

/** Decisions that are walked over to see whether one took the place of another. */
const MAX_CHAIN = 10_000

/**
 * The decisions whose place a statement takes: with words of change, every other value of a single-valued slot in the same
 * area; without, the one that the statement says it replaces, the remarks on the slot, the rule not to use it, what a remark left open, and what is only proposed. What was said
 * later than the statement stays.
 */
export function rivalsOf(statement: Statement, { context }: EventWriter): Decision[] {
  const { choice, source, isChange, replaces } = statement
  const { slot, area, cardinality } = choice
  const replaced = replaces === undefined ? [] : standingWith(slot, replaces, context)
  // A named value is over wherever it held; else an area keeps its choice when the whole changes.
  const named = replaced.filter((rival) => area === '' || rival.area === area || cardinality === 'many')
  const inPlace = cardinality === 'many' ? [] : standingIn(slot, area, context)
  const over = inPlace
    .filter((rival) => rival.cardinality === 'one')
    // A version makes a value exact and contradicts nothing.
    .filter(
      (rival) =>
        isChange || isWeak(rival) || isDoubted(rival, source) || saysMore(choice.choice, rival.choice),
    )
  const remarks = standingIn(`remark:${slot}`, '', context)
  const refusals = slot.includes(':') ? [] : standingIn(refusalSlot(choice.choice), '', context)
  const own = [...new Set([...over, ...named, ...remarks, ...refusals])].filter(
    (rival) => !isSameChoice(statement, rival) && wasSaidBefore(rival, source),
  )
  return [...own, ...elsewhere(statement, context)]
}

/** A replaced value may stand in another slot: a name that is changed again, a cache that was entered as a datastore. */
function elsewhere({ choice, source, replaces }: Statement, context: ResolveContext): Decision[] {
  const { ledger, scope } = context
  const prefix = slotPrefix(choice.slot)
  const isName = prefix === 'name'
  const old = isName ? (replaces ?? choice.slot.slice('name:'.length)) : replaces
  if (old === undefined || (!isName && (prefix !== '' || !isTelling(old)))) return []
  if (!isName && hadBefore(choice.slot, old, source, context)) return []
  const index = indexOf(ledger)
  const isOld = (rival: Decision): boolean =>
    isName ? nameKey(rival.choice) === nameKey(old) : sameValue(choice.slot, rival.choice, old)
  if (decisionsOf(index.endedAt(source), ledger).some(isOld)) return []
  const ids = index.ofValue(isName ? nameKey(old) : valueKey(old)).slice(-MAX_MARKED)
  return decisionsOf(ids, ledger)
    .filter((rival) => rival.status === 'active' && rival.scope === scope && rival.slot !== choice.slot)
    .filter((rival) => slotPrefix(rival.slot) === prefix && isOld(rival) && wasSaidBefore(rival, source))
}

/** Ends decisions in favour of another one. */
export function endRivals(
  rivals: readonly Decision[],
  decision: Decision,
  statement: Statement,
  writer: EventWriter,
): void {
  const { source, authority, choice } = statement
  for (const rival of rivals) {
    if (rival.id === decision.id) continue
    const end = { decision: rival.id, source, authority, ...(choice.reason && { reason: choice.reason }) }
    // A chain never comes back to where it began: what the decision had given way to in a part just ends.
    if (gaveWayTo(decision, rival.id, writer)) writer.write({ type: 'retracted', ...end })
    else writer.write({ type: 'superseded', supersededBy: decision.id, ...end })
  }
}

/** Marks decisions for the whole project as given up in the area of a new one. */
export function markArea(
  decision: Decision,
  { choice, source, authority }: Statement,
  writer: EventWriter,
): void {
  const { area, slot, cardinality } = choice
  if (area === '' || cardinality === 'many') return
  standingIn(slot, '', writer.context)
    .filter((wide) => wide.status === 'active' && wide.cardinality === 'one')
    .filter((wide) => wasSaidBefore(wide, source) && !sameValue(slot, wide.choice, choice.choice))
    .filter((wide) => !wide.supersededBy.some((link) => link.area === area))
    .slice(0, MAX_MARKED)
    .forEach((wide) => {
      const reason = choice.reason && { reason: choice.reason }
      writer.write({
        type: 'superseded',
        decision: wide.id,
        supersededBy: decision.id,
        area,
        source,
        authority,
        ...reason,
      })
    })
}

/**
 * A late find belongs to the change that was said after it: it ends in favour of the decision that ended the others.
 */
export function endByLaterChange(
  decision: Decision,
  { choice, source }: Statement,
  writer: EventWriter,
): void {
  if (choice.cardinality === 'many') return
  for (const later of standingIn(choice.slot, choice.area, writer.context)) {
    if (later.id === decision.id || later.status !== 'active') continue
    const change = later.supersedes.find(
      (link) => link.source.session === source.session && isBefore(source, link.source),
    )
    if (change === undefined) continue
    const { authority } = later
    writer.write({
      type: 'superseded',
      decision: decision.id,
      supersededBy: later.id,
      source: change.source,
      authority,
    })
    return
  }
}

/** Proposals give way to what is stated or accepted. */
function isWeak({ authority }: Decision): boolean {
  return authority === 'proposed'
}

function gaveWayTo({ id }: Decision, other: string, { context }: EventWriter): boolean {
  const seen = new Set([id])
  for (const next of seen) {
    if (seen.size > MAX_CHAIN) return true
    for (const link of context.ledger.get(next)?.supersededBy ?? []) seen.add(link.id)
    if (seen.has(other)) return true
  }
  return false
}
