import type { DecisionEvent, SaidEvent } from '../../log/decision-event.ts'
import { decisionId, eventId } from '../../log/ids.ts'

/**
 * Events of a log with something changed in them: with the ids that they have then, and with links that follow. A link to a
 * decision that the log does not begin stays as it is, and so does every event in which nothing changed.
 */
export function rewriteEvents(
  events: readonly DecisionEvent[],
  change: (event: SaidEvent) => SaidEvent,
): readonly DecisionEvent[] {
  const ids = new Map<string, string>()
  const changed = events.map((event): DecisionEvent => {
    if (event.type === 'withdrawn') return event
    const other = change(event)
    if ('choice' in event && 'choice' in other && !ids.has(event.decision)) {
      const id = decisionId(other.scope, other.choice, other.source)
      const isMoved = id !== decisionId(event.scope, event.choice, event.source)
      ids.set(event.decision, isMoved ? id : event.decision)
    }
    return other
  })
  const newId = (id: string): string => ids.get(id) ?? id
  return changed.map((event) => {
    if (event.type === 'withdrawn') return event
    const linked: SaidEvent = {
      ...event,
      decision: newId(event.decision),
      ...('supersededBy' in event && { supersededBy: newId(event.supersededBy) }),
      ...('choice' in event && {
        choice: { ...event.choice, dependsOn: event.choice.dependsOn.map(newId) },
      }),
    }
    return { ...linked, id: eventId(linked) }
  })
}
