import type { Choice, SaidEvent, Scope, Withdrawal } from './decision-event.ts'
import { hashText } from './hash-text.ts'
import { normalArea, normalSlot, normalValue } from './normal-text.ts'
import type { Source } from './source.ts'

/** Hexadecimal characters of an id: 48 bits, so that two of a million decisions share one once in 500 logs. */
const ID_CHARACTERS = 12

/**
 * The id of a decision: a slot's value in one area, said for the first time at one place. The same value said again
 * after it was given up is another decision.
 */
export function decisionId(scope: Scope, choice: Choice, source: Source): string {
  const { slot, area, choice: value } = choice
  return `d${digest([scope, normalSlot(slot), normalArea(area), normalValue(value), source.session, source.message, source.start])}`
}

/** The id of an event: what it says, about what, and where that stands. */
export function eventId(event: SaidEvent | Omit<SaidEvent, 'id'>): string {
  const { type, decision, source } = event
  const { session, message, start, end, hash, edition } = source
  const target = 'supersededBy' in event ? event.supersededBy : 'text' in event ? event.text : ''
  return `e${digest([type, decision, target, session, message, start, end, hash, edition])}`
}

/** The id of a withdrawal. */
export function withdrawalId({
  scope,
  session,
  from,
  edition,
}: Omit<Withdrawal, 'id' | 'type' | 'at'>): string {
  return `e${digest(['withdrawn', scope, session, from, edition])}`
}

/** The id of a model's work on some messages of a session; `content` is a hash of what they say. */
export function jobId(
  session: string,
  job: { from: number; to: number; version: number },
  content: string,
): string {
  return `j${digest([session, job.from, job.to, job.version, content])}`
}

function digest(parts: readonly unknown[]): string {
  return hashText(JSON.stringify(parts)).slice(0, ID_CHARACTERS)
}
