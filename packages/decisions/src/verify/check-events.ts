import type { SourceMessage } from '../candidates/source-message.ts'
import type { DecisionEvent } from '../log/decision-event.ts'
import { isImported } from '../log/is-imported.ts'
import { eventFault, type Finding, sourceFault } from './event-fault.ts'

/** A fault of one event. */
export interface EventFault extends Finding {
  /** The id of the event. */
  readonly event: string
}

/**
 * Proves events before they are written: what they quote stands in the message that they name. An import brings text of
 * other logs; of that, only the hash is proved.
 *
 * @param messageAt The messages of the session that the events were read in, by index.
 * @returns The events that are proved, in order, and what is wrong with the others.
 */
export function checkEvents<Event extends DecisionEvent>(
  events: readonly Event[],
  messageAt: (index: number) => SourceMessage | undefined,
): { readonly events: readonly Event[]; readonly faults: readonly EventFault[] } {
  const sound: Event[] = []
  const faults: EventFault[] = []
  for (const event of events) {
    const fault = eventFault(event) ?? textFault(event, messageAt)
    if (fault === undefined) sound.push(event)
    else faults.push({ ...fault, event: String(event?.id) })
  }
  return { events: sound, faults }
}

function textFault(
  event: DecisionEvent,
  messageAt: (index: number) => SourceMessage | undefined,
): Finding | undefined {
  if (event.type === 'withdrawn' || isImported(event)) return undefined
  return sourceFault(event.source, messageAt(event.source.message))
}
