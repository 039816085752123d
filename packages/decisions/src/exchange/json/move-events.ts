import type { DecisionEvent, SaidEvent, Scope } from '../../log/decision-event.ts'
import { decisionId, eventId } from '../../log/ids.ts'
import { standingEvents } from '../../log/standing-events.ts'

/**
 * The events of a log as they are in another scope, or with other names of their sessions: with other ids, which depend
 * on both, and with links that follow. A link to a decision that the log does not begin stays as it is.
 */
export function moveEvents(
  events: readonly DecisionEvent[],
  { scope, session }: { readonly scope: Scope; readonly session: string | undefined },
): readonly SaidEvent[] {
  const ids = new Map<string, string>()
  const moved = standingEvents(events).map((event) => {
    const source =
      session === undefined
        ? event.source
        : { ...event.source, session: `${session}/${event.source.session}` }
    if ('choice' in event && !ids.has(event.decision))
      ids.set(event.decision, decisionId(scope, event.choice, source))
    return { ...event, scope, source }
  })
  const newId = (id: string): string => ids.get(id) ?? id
  return moved.map((event): SaidEvent => {
    const linked = {
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
