import type { Candidate, CandidateChoice } from '../candidates/candidate.ts'
import type { Decision } from '../log/decision.ts'
import { normalValue } from '../log/normal-text.ts'
import { isBefore, type Source } from '../log/source.ts'
import { findTechnologies } from '../slots/find-technologies.ts'
import { sameValue } from '../slots/slots.ts'
import { boundChoice } from './bounds.ts'
import { sourceOfSpan } from './candidate-source.ts'
import { decisionsOf, indexOf } from './ledger-index.ts'
import { namesSubject } from './names-decision.ts'
import type { EventWriter, ResolveContext } from './resolve-context.ts'
import { beginDecision } from './settle-statement.ts'
import { findKnown, wasSaidBefore } from './statement.ts'

/** Decisions that one remark leaves open. */
const MAX_DOUBTED = 4

/**
 * Writes what the user's words on a subject mean that say no value plainly: what holds there is contested. Where nothing
 * holds, the words themselves are kept, until the user says plainly what does.
 */
export function settleRemark(candidate: Extract<Candidate, { kind: 'remark' }>, writer: EventWriter): void {
  const { context } = writer
  const source = sourceOfSpan(candidate.span, context)
  if (source?.role !== 'user' || indexOf(context.ledger).remarkedAt(source).length > 0) return
  const { slots, isDoubt } = candidate
  const held = heldThen(source, slots, context)
  const doubted = held
    .filter((decision) => decision.status === 'active' && wasSaidBefore(decision, source))
    .filter((decision) => isAbout(decision, source.quote, candidate))
    .slice(0, MAX_DOUBTED)
  for (const { id } of doubted)
    writer.write({ type: 'remarked', decision: id, source, authority: 'proposed' })
  const [slot] = slots
  if (slot === undefined || !isDoubt || held.some((decision) => slots.includes(decision.slot))) return
  const choice = boundChoice(remarkOn(slot, source.quote))
  const remark = choice && { choice, source, authority: 'proposed' as const, isChange: false }
  if (remark && findKnown(remark, context) === undefined) beginDecision('proposed', remark, [], writer)
}

/** Decisions that held when something was said: in some slots, and the newest of all others. */
function heldThen(source: Source, slots: readonly string[], { ledger, scope }: ResolveContext): Decision[] {
  const newest = decisionsOf(indexOf(ledger).newest(), ledger)
  return [...new Set([...slots.flatMap((slot) => ledger.ofSlot(slot)), ...newest])].filter(
    ({ authority, sources: [first], ended, ...decision }) =>
      authority !== 'proposed' &&
      decision.scope === scope &&
      (first === undefined || isBefore(first, source)) &&
      (ended === undefined || !isBefore(ended.source, source)),
  )
}

/**
 * Whether a remark is about a decision: words of doubt with its value or its subject, or another technology of its slot. The
 * choice for a part of the project is meant only where the part or the value is named.
 */
function isAbout(
  decision: Decision,
  words: string,
  { slots, isDoubt }: Extract<Candidate, { kind: 'remark' }>,
): boolean {
  const { slot, area, choice, cardinality } = decision
  const technologies = findTechnologies(words).filter(({ sure }) => sure)
  if (technologies.some(({ value }) => sameValue(slot, value, choice))) return isDoubt
  if (area !== '' && !normalValue(words).includes(area)) return false
  const others = technologies.filter(({ technology }) => technology.slots[0] === slot)
  if (others.length > 0) return cardinality === 'one'
  if (!isDoubt) return false
  return cardinality === 'one' && slots.includes(slot)
    ? technologies.length === 0
    : namesSubject(words, decision)
}

function remarkOn(slot: string, choice: string): CandidateChoice {
  return {
    slot: `remark:${slot}`,
    area: '',
    choice,
    category: 'decisions',
    cardinality: 'many',
    l0: choice,
    entities: [],
  }
}
