import type { SeqRange } from '@palimpsest/core'
import type { SaidEvent, Scope, Statement, Withdrawal } from './decision-event.ts'
import { hashText, normalSubject, normalValue, type Source } from './source.ts'

export function decisionId(scope: Scope, { subject, value }: Statement, source: Source): string {
  const { session, seq, start } = source
  return `d${digest([scope, normalSubject(subject), normalValue(value), session, seq, start])}`
}

export function eventId(event: SaidEvent | Omit<SaidEvent, 'id'>): string {
  const { type, decision, source } = event
  const { session, seq, start, end } = source
  const target = 'supersededBy' in event ? event.supersededBy : 'text' in event ? (event.text ?? '') : ''
  return `e${digest([type, decision, target, session, seq, start, end])}`
}

export function withdrawalId({
  scope,
  session,
  first,
  last,
}: Omit<Withdrawal, 'id' | 'type' | 'at'>): string {
  return `e${digest(['withdrawn', scope, session, first, last])}`
}

export function jobId(session: string, { first, last }: SeqRange, version: number): string {
  return `j${digest([session, first, last, version])}`
}

/** 48 bits: the ids of a million decisions collide in one of 500 logs. */
function digest(parts: readonly unknown[]): string {
  return hashText(JSON.stringify(parts)).slice(0, 12)
}
