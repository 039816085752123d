import type { SaidEvent } from '../log/decision-event.ts'
import { eventId } from '../log/ids.ts'
import type { ResolveContext } from './resolve-context.ts'

type Draft<Event> = Event extends SaidEvent ? Omit<Event, 'id' | 'scope' | 'at' | 'by'> : never

/** An event without what is the same for all of one call. */
export type EventDraft = Draft<SaidEvent>

/** Works out events: what was written so far counts for what comes next, and the ledger of the caller stays as it is. */
export interface EventWriter {
  /** With a draft in place of the ledger. */
  readonly context: ResolveContext
  readonly events: readonly SaidEvent[]
  write(draft: EventDraft): void
}

export function createEventWriter(given: ResolveContext): EventWriter {
  const { scope, at, by } = given
  const ledger = given.ledger.draft()
  const events: SaidEvent[] = []
  return {
    context: { ...given, ledger },
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
