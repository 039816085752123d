import type { DecisionEvent, SaidEvent, Scope } from '../../log/decision-event.ts'
import { standingEvents } from '../../log/standing-events.ts'
import { rewriteEvents } from './rewrite-events.ts'

/**
 * The events of a log as they are in another scope, or with other names of their sessions. What had been taken back is left
 * behind.
 */
export function moveEvents(
  events: readonly DecisionEvent[],
  { scope, session }: { readonly scope: Scope; readonly session: string | undefined },
): readonly DecisionEvent[] {
  return rewriteEvents(standingEvents(events), (event): SaidEvent => {
    const { source } = event
    const named = session === undefined ? source : { ...source, session: `${session}/${source.session}` }
    return { ...event, scope, source: named }
  })
}
