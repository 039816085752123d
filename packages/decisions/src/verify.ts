import { errorText, type Role } from '@palimpsest/core'
import { parseOptions } from '@palimpsest/core/options'
import type { Authority, DecisionEvent, SaidEvent } from './log/decision-event.ts'
import { decisionId, eventId, withdrawalId } from './log/ids.ts'
import { hashText, type Source, type SourceMessage } from './log/source.ts'
import {
  DEFAULT_PRINCIPAL,
  type DecisionSession,
  type DecisionSessionRef,
  type DecisionStore,
  type StoredEvent,
} from './store/decision-store.ts'
import { eventSchema, MAX_EVENT_CHARACTERS } from './store/event-schema.ts'
import { StoreError } from './store/store-error.ts'

/** A fault: a stable code, and a sentence for people. */
interface Finding {
  readonly code: string
  readonly message: string
}

/** Something that is wrong in a store. */
export interface DecisionFault extends Finding {
  /** Absent for a fault of the store as a whole. */
  readonly principal?: string
  /** The key of the session that it is about. */
  readonly session?: string
  /** The id of the event that it is about. */
  readonly event?: string
}

/** The proof in numbers, and the faults. */
export interface DecisionVerification {
  readonly sessions: number
  readonly events: number
  /** Messages whose text is stored. */
  readonly sources: number
  readonly faults: readonly DecisionFault[]
}

/** Attempts when others write while the store is read. */
const ATTEMPTS = 3
/** Messages that are read at a time. */
const PAGE = 500

/** Whose words an authority can rest on. */
const SPEAKERS: Readonly<Record<Authority, readonly Role[]>> = {
  stated: ['user'],
  accepted: ['user'],
  proposed: ['user', 'assistant'],
}

/** The fault of an event that can be seen by itself: in its shape, its quote or its id. */
export function eventFault(event: DecisionEvent): Finding | undefined {
  try {
    parseOptions(eventSchema(), event, 'event')
  } catch (error) {
    return { code: 'event-shape', message: `it is no event of a log: ${errorText(error)}` }
  }
  if (JSON.stringify(event).length > MAX_EVENT_CHARACTERS)
    return { code: 'event-length', message: `it is longer than ${MAX_EVENT_CHARACTERS} characters` }
  const own = event.type === 'withdrawn' ? withdrawalId(event) : eventId(event)
  if (event.id !== own) return { code: 'event-id', message: 'its id is not the one of what it says' }
  if (event.type === 'withdrawn') return undefined
  const { quote, hash, role } = event.source
  if (quote.trim() === '') return { code: 'quote-empty', message: 'its source quotes nothing' }
  if (hash !== hashText(quote))
    return { code: 'quote-hash', message: 'its quote is not the one that was hashed' }
  return SPEAKERS[event.authority].includes(role)
    ? undefined
    : { code: 'source-authority', message: `the ${role}'s words cannot make anything ${event.authority}` }
}

/** The fault between a source and the message that it names. */
export function sourceFault(source: Source, message: SourceMessage | undefined): Finding | undefined {
  const place = `message ${source.message} of ${source.session}`
  if (message === undefined)
    return { code: 'source-missing', message: `its source is ${place}, which is not there` }
  if (message.text.slice(source.start, source.end) !== source.quote)
    return { code: 'source-text', message: `its quote is not in ${place} from ${source.start} on` }
  if (message.role !== source.role)
    return {
      code: 'source-role',
      message: `${place} is from the ${message.role}, not from the ${source.role}`,
    }
  if (message.turn !== source.turn)
    return { code: 'source-turn', message: `${place} belongs to turn ${message.turn}, not ${source.turn}` }
  return undefined
}

/**
 * Proves a store, or one session of it: every event is what its id says, what it quotes is in the message that it names, and what it
 * refers to is in the log. The text of a message that was taken back since may be gone; then the hash of the quote is what is left.
 *
 * @param ref A session; default all of them, and the store's own faults.
 * @throws StoreError when the store cannot be read at all.
 */
export async function verifyDecisions(
  store: DecisionStore,
  ref?: DecisionSessionRef,
): Promise<DecisionVerification> {
  const own = ref === undefined ? ((await store.check?.()) ?? []) : []
  const total = { sessions: 0, events: 0, sources: 0, faults: [...own] as DecisionFault[] }
  if (own.some(({ code }) => code === 'damaged-file')) return total
  const listed = await store.list(ref && { principal: ref.principal ?? DEFAULT_PRINCIPAL })
  for (const principal of new Set(listed.map((info) => info.principal))) {
    let found = await verifyPrincipal(store, principal, ref?.key)
    // A fault may be what a writer has done between two reads.
    for (let attempt = 1; attempt < ATTEMPTS && found.faults.length > 0; attempt++)
      found = await verifyPrincipal(store, principal, ref?.key)
    for (const key of ['sessions', 'events', 'sources'] as const) total[key] += found[key]
    total.faults.push(...found.faults)
  }
  return total
}

async function verifyPrincipal(
  store: DecisionStore,
  principal: string,
  only: string | undefined,
): Promise<DecisionVerification> {
  const faults: DecisionFault[] = []
  const note = (fault: Finding | undefined, about: Partial<DecisionFault>): void => {
    if (fault !== undefined) faults.push({ ...fault, principal, ...about })
  }
  const read = async <T>(about: Partial<DecisionFault>, work: () => Promise<T>): Promise<T | undefined> => {
    try {
      return await work()
    } catch (error) {
      if (!StoreError.isInstance(error) || error.code !== 'STORE_CORRUPT') throw error
      note({ code: 'unreadable', message: errorText(error) }, about)
      return undefined
    }
  }
  const events =
    (await read({}, async () => store.events({ principal, scopes: await store.scopes(principal) }))) ?? []
  const quoting = new Map<string, SaidEvent[]>()
  const begun = new Set<string>()
  let checked = 0
  for (const stored of events) {
    const { event } = stored
    const session = event?.type === 'withdrawn' ? event.session : event?.source?.session
    const fault = eventFault(event) ?? logFault(event, begun)
    if (only !== undefined && session !== only) continue
    checked++
    note(fault, { ...(typeof session === 'string' && { session }), event: String(event?.id) })
    if (fault === undefined && event.type !== 'withdrawn' && !isTakenBack(stored, events))
      quoting.set(event.source.session, [...(quoting.get(event.source.session) ?? []), event])
  }
  let [sessions, sources] = [0, 0]
  for (const { key } of await store.list({ principal })) {
    if (only !== undefined && key !== only) continue
    sessions++
    const session = await store.find({ principal, key })
    await read({ session: key }, async () => {
      if (session === null) return
      sources += await checkSession(session, quoting.get(key) ?? [], (fault, event) =>
        note(fault, { session: key, ...(event !== undefined && { event }) }),
      )
    })
    quoting.delete(key)
  }
  for (const [session, rest] of quoting)
    for (const { id, source } of rest) note(sourceFault(source, undefined), { session, event: id })
  return { sessions, events: checked, sources, faults }
}

/** The fault between an event and the log before it. */
function logFault(event: DecisionEvent, begun: Set<string>): Finding | undefined {
  if (event.type === 'withdrawn') return undefined
  const { decision } = event
  if ('statement' in event && !begun.has(decision)) {
    begun.add(decision)
    return decision === decisionId(event.scope, event.statement, event.source)
      ? undefined
      : { code: 'decision-id', message: `the id ${decision} is not the one of what it says` }
  }
  const missing = [decision, ...('supersededBy' in event ? [event.supersededBy] : [])].find(
    (id) => !begun.has(id),
  )
  return missing === undefined
    ? undefined
    : { code: 'decision-unknown', message: `nothing in the log before it began the decision ${missing}` }
}

/** Whether the message of an event was taken back after it: then its text may be gone. */
function isTakenBack({ seq, event }: StoredEvent, log: readonly StoredEvent[]): boolean {
  if (event.type === 'withdrawn') return false
  const { session, message } = event.source
  return log.some(
    (other) =>
      other.event.type === 'withdrawn' &&
      other.seq > seq &&
      other.event.session === session &&
      other.event.from <= message,
  )
}

/** Every message is there once and in its place, and what events quote is in them. Returns the number of messages. */
async function checkSession(
  session: DecisionSession,
  events: readonly SaidEvent[],
  note: (fault: Finding | undefined, event?: string) => void,
): Promise<number> {
  const count = await session.count()
  const rest = new Set(events)
  for (let from = 0; from < count; from += PAGE) {
    const page = await session.sources({ from, to: Math.min(from + PAGE, count) })
    const messages = new Map(page.map((source) => [source.message, source]))
    for (let index = from; index < Math.min(from + PAGE, count); index++)
      if (!messages.has(index)) note({ code: 'message-missing', message: `message ${index} is not there` })
    for (const event of rest) {
      const { message } = event.source
      if (message < from || message >= from + PAGE) continue
      note(sourceFault(event.source, messages.get(message)), event.id)
      rest.delete(event)
    }
  }
  for (const { id, source } of rest) note(sourceFault(source, undefined), id)
  for (const { id, from, to } of await session.pendingJobs())
    if (from >= to || to > count)
      note({ code: 'job-beyond', message: `the job ${id} is about messages that are not there` })
  return count
}
