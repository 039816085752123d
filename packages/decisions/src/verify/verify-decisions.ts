import { errorText } from '@palimpsest/core'
import { StoreError } from '../errors/store-error.ts'
import type { DecisionEvent, SaidEvent } from '../log/decision-event.ts'
import {
  DEFAULT_PRINCIPAL,
  type DecisionSessionRef,
  type DecisionStore,
  type StoredEvent,
} from '../store/decision-store.ts'
import { eventFault, type Finding } from './check-events.ts'
import { addTo, indexLog, logFault, textOf } from './check-log.ts'
import { checkSession } from './check-session.ts'

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

/** Faults that are listed. A store in ruins must not fill the memory too. */
const MAX_FAULTS = 1_000
/** Attempts when others write while the store is read. */
const ATTEMPTS = 3

/**
 * Proves a store, or one session of it: every event is what its id says, what it quotes stands in the message that it
 * names, and what it refers to is in the log. The text of a message that was taken back since may be gone; then the hash
 * of the quote is what is left. What came from an import is held against that hash only. The log of one principal is in
 * memory at a time, messages are read in pages. Without a session, the store is asked for its own faults first.
 *
 * @param ref A session; default all of them.
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
    const found = await verifyPrincipal(store, principal, ref?.key)
    for (const key of ['sessions', 'events', 'sources'] as const) total[key] += found[key]
    total.faults.push(...found.faults)
  }
  return { ...total, faults: bounded(total.faults) }
}

async function verifyPrincipal(
  store: DecisionStore,
  principal: string,
  only: string | undefined,
): Promise<DecisionVerification> {
  for (let attempt = 1; ; attempt++) {
    const found = await readPrincipal(store, principal, only)
    // A fault may be what a writer has done between two reads.
    if (found.faults.length === 0 || attempt === ATTEMPTS) return found
  }
}

async function readPrincipal(
  store: DecisionStore,
  principal: string,
  only: string | undefined,
): Promise<DecisionVerification> {
  const faults: DecisionFault[] = []
  const note = (fault: Finding, about: Partial<DecisionFault>) =>
    faults.push({ ...fault, principal, ...about })
  const read = async <T>(about: Partial<DecisionFault>, work: () => Promise<T>): Promise<T | undefined> => {
    try {
      return await work()
    } catch (error) {
      if (!StoreError.isInstance(error) || error.code !== 'STORE_CORRUPT') throw error
      note({ code: 'unreadable', message: errorText(error) }, about)
      return undefined
    }
  }

  const events = (await read({}, () => readLog(store, principal))) ?? []
  const shapes = events.map((stored) => ({ ...stored, fault: eventFault(stored.event) }))
  const log = indexLog(shapes.filter(({ fault }) => fault?.code !== 'event-shape'))
  const checked = shapes.filter(({ event }) => only === undefined || sessionOf(event) === only)
  const quoting = new Map<string, SaidEvent[]>()
  for (const { seq, event, fault = logFault({ seq, event }, log) } of checked) {
    if (fault !== undefined) note(fault, { ...aboutSession(event), event: String(event?.id) })
    else if (event.type !== 'withdrawn' && textOf({ seq, event }, log) === 'stands')
      addTo(quoting, event.source.session, event)
  }

  const keys = (await store.list({ principal })).map(({ key }) => key)
  let [sessions, sources] = [0, 0]
  for (const key of keys.filter((key) => only === undefined || key === only)) {
    const check = await read({ session: key }, async () => {
      const session = await store.find({ principal, key })
      return session && checkSession(session, quoting.get(key) ?? [])
    })
    quoting.delete(key)
    sessions++
    sources += check?.sources ?? 0
    for (const fault of check?.faults ?? []) note(fault, { session: key })
  }
  for (const [session, events] of quoting)
    for (const { id } of events)
      note(
        { code: 'source-missing', message: `its source is in ${session}, of which the store knows nothing` },
        { session, event: id },
      )
  return { sessions, events: checked.length, sources, faults }
}

async function readLog(store: DecisionStore, principal: string): Promise<readonly StoredEvent[]> {
  return store.events({ principal, scopes: await store.scopes(principal) })
}

/** The session that an event is about; undefined when it is too damaged to say. */
function sessionOf(event: DecisionEvent): string | undefined {
  return event?.type === 'withdrawn' ? event.session : event?.source?.session
}

function aboutSession(event: DecisionEvent): { session?: string } {
  const session = sessionOf(event)
  return typeof session === 'string' ? { session } : {}
}

function bounded(faults: readonly DecisionFault[]): readonly DecisionFault[] {
  if (faults.length <= MAX_FAULTS) return faults
  const more = { code: 'more-faults', message: `there are more than ${MAX_FAULTS} faults` }
  return [...faults.slice(0, MAX_FAULTS), more]
}
