import { type DecisionEvent, isImported, type SaidEvent } from '../log/decision-event.ts'
import { decisionId } from '../log/ids.ts'
import type { StoredEvent } from '../store/decision-store.ts'
import type { Finding } from './check-events.ts'

/** The log of one principal, as its events are held against it. */
export interface LogIndex {
  /** Decisions that were asserted or proposed, with the place of the first time. */
  readonly begun: ReadonlyMap<string, number>
  /** Withdrawals of each session, with their places. */
  readonly withdrawn: ReadonlyMap<string, readonly { readonly seq: number; from: number; edition: number }[]>
}

/** Reads events that have the shape of events. */
export function indexLog(events: readonly StoredEvent[]): LogIndex {
  const begun = new Map<string, number>()
  const withdrawn = new Map<string, { seq: number; from: number; edition: number }[]>()
  for (const { seq, event } of events) {
    if (event.type === 'withdrawn') {
      const { session, from, edition } = event
      addTo(withdrawn, session, { seq, from, edition })
    } else if (isBeginning(event) && !begun.has(event.decision)) begun.set(event.decision, seq)
  }
  return { begun, withdrawn }
}

function isBeginning(event: DecisionEvent): event is SaidEvent & { type: 'asserted' | 'proposed' } {
  return event.type === 'asserted' || event.type === 'proposed'
}

/** The fault between a sound event and its log. */
export function logFault({ seq, event }: StoredEvent, log: LogIndex): Finding | undefined {
  if (event.type === 'withdrawn') return undefined
  const { begun } = log
  if (textOf({ seq, event }, log) === 'late')
    return { code: 'source-late', message: 'its message had been taken back before it was written' }
  if (!begun.has(event.decision))
    return { code: 'decision-unknown', message: `nothing in the log began the decision ${event.decision}` }
  if (isBeginning(event)) {
    const { scope, choice, source, decision } = event
    if (begun.get(decision) === seq && decision !== decisionId(scope, choice, source))
      return { code: 'decision-id', message: `the id ${decision} is not the one of what it chooses` }
    const base = choice.dependsOn.find((id) => !begun.has(id))
    if (base !== undefined)
      return {
        code: 'basis-unknown',
        message: `it rests on the decision ${base}, which nothing in the log began`,
      }
  }
  if (event.type === 'superseded' && !begun.has(event.supersededBy))
    return {
      code: 'successor-unknown',
      message: `nothing in the log began the decision ${event.supersededBy}, which takes its place`,
    }
  return undefined
}

/**
 * The state of the text of an event: it `stands` in its session; it is `gone`, because its message was taken back since
 * or the event came with an import; or the event came `late`, when its message had been taken back.
 */
export function textOf({ seq, event }: StoredEvent, { withdrawn }: LogIndex): 'stands' | 'gone' | 'late' {
  if (event.type === 'withdrawn' || isImported(event)) return 'gone'
  const { session, message, edition } = event.source
  const ended = (withdrawn.get(session) ?? []).filter(
    (each) => each.from <= message && each.edition >= edition,
  )
  if (ended.length === 0) return 'stands'
  return ended.some((each) => each.seq > seq) ? 'gone' : 'late'
}

/** Puts a value into the list of a key. */
export function addTo<Key, Value>(lists: Map<Key, Value[]>, key: Key, value: Value): void {
  const list = lists.get(key)
  if (list === undefined) lists.set(key, [value])
  else list.push(value)
}
