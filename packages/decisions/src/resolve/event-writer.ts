import type { SaidEvent } from '../log/decision-event.ts'
import { eventId } from '../log/ids.ts'
import type { ResolveContext } from './resolve-context.ts'

type Draft<Event> = Event extends SaidEvent ? Omit<Event, 'id' | 'scope' | 'at' | 'by'> : never

/** An event without what is the same for all of one call. */
export type EventDraft = Draft<SaidEvent>

/** Writes events to the ledger and remembers which were new. */
export interface EventWriter {
  readonly context: ResolveContext
  readonly events: readonly SaidEvent[]
  write(draft: EventDraft): void
}

export function createEventWriter(context: ResolveContext): EventWriter {
  const { ledger, scope, at, by } = context
  const events: SaidEvent[] = []
  return {
    context,
    events,
    write(draft) {
      const event = { ...draft, scope, at, by, id: '' }
      event.id = eventId(event)
      if (ledger.has(event.id)) return
      ledger.append([event])
      events.push(event)
    },
  }
}
