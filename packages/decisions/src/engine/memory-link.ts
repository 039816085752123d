import { abortable, createSerialQueue, errorText, redactSecrets, type Warning } from '@palimpsest/core'
import type { ExternalMemory, Memory } from '../exchange/memory/external-memory.ts'
import { fromMemories } from '../exchange/memory/from-memories.ts'
import { toMemories } from '../exchange/memory/to-memories.ts'
import type { SessionRecord } from './session-record.ts'

/** Longest wait of a request for what a memory has found, in milliseconds. */
const SEARCH_LIMIT_MS = 2_000
/** Longest time of a publication, in milliseconds. */
const PUBLISH_LIMIT_MS = 10_000
/** Memories that are asked for. */
const LIMIT = 8

/** The part of one conversation that the memory has. */
interface Published {
  readonly session: string
  /** Events of the log that it knows. */
  events: number
  readonly memories: Map<string, Memory>
}

/** A memory service beside the log: it gets what is decided, and is asked what other sessions know. */
export function createMemoryLink(memory: ExternalMemory) {
  const enqueue = createSerialQueue()
  let published: Published = { session: '', events: 0, memories: new Map() }
  let lastFailure: string | undefined
  let told: string | undefined

  const publish = async (record: SessionRecord): Promise<void> => {
    const { session, ledger } = record
    if (published.session !== session) published = { session, events: 0, memories: new Map() }
    const known = published
    const count = ledger.events.length
    const memories = [...changedSince(record, known), ...takenBack(record, known)]
    if (memories.length > 0) {
      const signal = AbortSignal.timeout(PUBLISH_LIMIT_MS)
      await abortable(memory.publish(memories, { signal }), signal)
    }
    known.events = count
    for (const each of memories) known.memories.set(each.id, each)
  }

  return {
    /** Publishes what changed since the last time, in the background. What fails is published the next time. */
    publish(record: SessionRecord): void {
      enqueue(() => publish(record)).catch((error: unknown) => {
        lastFailure = errorText(error)
      })
    },
    /** The memory's notes on a query, as lines for a model; empty when it knows nothing or does not answer in time. */
    async recall(
      query: string,
      { ledger, session }: SessionRecord,
      signal: AbortSignal | undefined,
    ): Promise<string> {
      if (query.trim() === '') return ''
      const limit = AbortSignal.timeout(SEARCH_LIMIT_MS)
      const either = signal === undefined ? limit : AbortSignal.any([signal, limit])
      try {
        const options = { limit: LIMIT, signal: either }
        const found = await abortable(memory.search(redactSecrets(query), options), either)
        const has = (id: string) => ledger.get(id) !== undefined
        return fromMemories(found, { name: memory.name, session, has }).text
      } catch (error) {
        signal?.throwIfAborted()
        lastFailure = limit.aborted ? `no answer in ${SEARCH_LIMIT_MS / 1_000} s` : errorText(error)
        return ''
      }
    },
    /** Faults since the last call; a memory that goes on failing in the same way is told of once. */
    takeWarnings(): readonly Warning[] {
      if (lastFailure === undefined || lastFailure === told) return []
      told = lastFailure
      const message = `the memory ${memory.name} failed (${lastFailure}); the session goes on without it`
      return [{ code: 'memory-failed', message }]
    },
    /** Waits for what is on its way. */
    stop: (): Promise<void> => enqueue(async () => {}),
    status: (): Readonly<Record<string, unknown>> => ({
      name: memory.name,
      published: published.memories.size,
      ...(lastFailure && { lastFailure }),
    }),
  }
}

function changedSince({ ledger }: SessionRecord, { events }: Published): Memory[] {
  const ids = new Set(
    ledger.events.slice(events).flatMap((event) => (event.type === 'withdrawn' ? [] : [event.decision])),
  )
  return toMemories(
    [...ids].flatMap((id) => ledger.get(id) ?? []),
    ledger,
  )
}

/** Memories that the host took back: the memory must not go on telling them. */
function takenBack({ ledger }: SessionRecord, { memories }: Published): Memory[] {
  return [...memories.values()]
    .filter(({ id, text }) => ledger.get(id) === undefined && !text.startsWith(TAKEN_BACK))
    .map((each) => ({ ...each, text: `${TAKEN_BACK}${each.text.replace(/^Decided: /, '')}` }))
}

const TAKEN_BACK = 'Taken back, does not hold: '
