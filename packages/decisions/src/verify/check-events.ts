import { errorText, type Role } from '@palimpsest/core'
import { parseOptions } from '@palimpsest/core/options'
import type { SourceMessage } from '../candidates/source-message.ts'
import { type Authority, type DecisionEvent, isImported } from '../log/decision-event.ts'
import { hashText } from '../log/hash-text.ts'
import { eventId, withdrawalId } from '../log/ids.ts'
import type { Source } from '../log/source.ts'
import { encodeEvent, eventSchema, MAX_EVENT_CHARACTERS } from '../store/event-schema.ts'

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

/** A fault: a stable code, and a sentence for people. */
export interface Finding {
  readonly code: string
  readonly message: string
}

/** Whose words an authority can rest on. An import names the authority that its file gave it. */
const SPEAKERS: Readonly<Record<Authority, readonly Role[]>> = {
  stated: ['user'],
  accepted: ['user'],
  proposed: ['system', 'developer', 'user', 'assistant', 'tool'],
}

/** The fault of an event that can be seen by itself: in its shape, its quote or its id. */
export function eventFault(event: DecisionEvent): Finding | undefined {
  try {
    parseOptions(eventSchema(), event, 'event')
  } catch (error) {
    return { code: 'event-shape', message: `it is no event of a log: ${errorText(error)}` }
  }
  if (encodeEvent(event) === undefined)
    return { code: 'event-length', message: `it is longer than ${MAX_EVENT_CHARACTERS} characters` }
  if (event.type === 'withdrawn') {
    const isOwn = event.id === withdrawalId(event)
    return isOwn ? undefined : { code: 'event-id', message: 'its id is not the one of what it takes back' }
  }
  const { quote, hash, role } = event.source
  if (quote.trim() === '') return { code: 'quote-empty', message: 'its source quotes nothing' }
  if (hash !== hashText(quote))
    return { code: 'quote-hash', message: 'its quote is not the one that was hashed' }
  if (!isImported(event) && !SPEAKERS[event.authority].includes(role))
    return {
      code: 'source-authority',
      message: `the ${role}'s words cannot make anything ${event.authority}`,
    }
  if (event.id !== eventId(event))
    return { code: 'event-id', message: 'its id is not the one of what it says' }
  return undefined
}

/** The fault between a source and the message that it names. */
export function sourceFault(source: Source, message: SourceMessage | undefined): Finding | undefined {
  const place = `message ${source.message} of ${source.session}`
  if (message === undefined)
    return { code: 'source-missing', message: `its source is ${place}, which is not there` }
  if (message.text.slice(source.start, source.end) !== source.quote)
    return { code: 'source-text', message: `its quote does not stand in ${place} from ${source.start} on` }
  if (message.role !== source.role)
    return {
      code: 'source-role',
      message: `${place} is from the ${message.role}, not from the ${source.role}`,
    }
  if (message.turn !== source.turn)
    return { code: 'source-turn', message: `${place} belongs to turn ${message.turn}, not ${source.turn}` }
  return undefined
}
