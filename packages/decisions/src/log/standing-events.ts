import type { DecisionEvent, SaidEvent } from './decision-event.ts'

/** The events whose messages still stand: those that a later withdrawal took back are left out. */
export function standingEvents(events: readonly DecisionEvent[]): readonly SaidEvent[] {
  const standing: SaidEvent[] = []
  /** For each session, the first message that was taken back after the events that are looked at. */
  const takenFrom = new Map<string, number>()
  for (let index = events.length - 1; index >= 0; index--) {
    const event = events[index]
    if (event === undefined) continue
    if (event.type === 'withdrawn') {
      const { session, from } = event
      takenFrom.set(session, Math.min(from, takenFrom.get(session) ?? from))
    } else if (event.source.message < (takenFrom.get(event.source.session) ?? Number.POSITIVE_INFINITY))
      standing.push(event)
  }
  return standing.reverse()
}
