import type { SaidEvent, Scope, Statement, Withdrawal } from './decision-event.ts'
import { hashText, normalSubject, normalValue, type Source } from './source.ts'

/** The id of a decision: a value of a subject, said for the first time at one place. */
export function decisionId(scope: Scope, { subject, value }: Statement, source: Source): string {
  const { session, message, start } = source
  return `d${digest([scope, normalSubject(subject), normalValue(value), session, message, start])}`
}

/** The id of an event: what it says, about what, and where. */
export function eventId(event: SaidEvent | Omit<SaidEvent, 'id'>): string {
  const { type, decision, source } = event
  const { session, message, start, end, hash, edition } = source
  const target = 'supersededBy' in event ? event.supersededBy : 'text' in event ? (event.text ?? '') : ''
  return `e${digest([type, decision, target, session, message, start, end, hash, edition])}`
}

export function withdrawalId({
  scope,
  session,
  from,
  edition,
}: Omit<Withdrawal, 'id' | 'type' | 'at'>): string {
  return `e${digest(['withdrawn', scope, session, from, edition])}`
}

/** The id of a model's work on some messages of a session; `content` is a hash of them. */
export function jobId(
  session: string,
  job: { from: number; to: number; version: number },
  content: string,
): string {
  return `j${digest([session, job.from, job.to, job.version, content])}`
}

/** 48 bits: two of a million decisions share an id once in 500 logs. */
function digest(parts: readonly unknown[]): string {
  return hashText(JSON.stringify(parts)).slice(0, 12)
}
