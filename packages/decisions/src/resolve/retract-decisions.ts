import type { Candidate } from '../candidates/candidate.ts'
import type { Decision } from '../log/decision.ts'
import { normalArea, normalSlot } from '../log/normal-text.ts'
import { sameValue } from '../slots/slots.ts'
import { CANDIDATE_BOUNDS, cutText } from './bounds.ts'
import { sourceOfSpan } from './candidate-source.ts'
import type { EventWriter } from './event-writer.ts'
import { decisionsOf, indexOf } from './ledger-index.ts'
import { hadBefore, standingWith, wasSaidBefore } from './statement.ts'
import { isTelling, valueKey } from './value-key.ts'

/**
 * Ends what a retraction names: a value of a slot, or the whole slot; in one area, or everywhere when it names none. A value
 * that names one thing is also found where another slot holds it. What is not known is not begun by being refused, and
 * what was said after the retraction stays. Words that are not the user's end only proposals.
 */
export function retractDecisions(
  candidate: Extract<Candidate, { kind: 'retract' }>,
  writer: EventWriter,
): void {
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
