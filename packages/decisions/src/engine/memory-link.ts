import { abortable, createSerialQueue, errorText } from '@palimpsest/core'
import type { ExternalMemory } from '../exchange/memory/external-memory.ts'
import { fromMemories } from '../exchange/memory/from-memories.ts'
import { toMemories } from '../exchange/memory/to-memories.ts'
import type { SessionRecord } from './session-record.ts'

/** How long a request waits for what a memory has found, in milliseconds. */
const SEARCH_LIMIT_MS = 2_000
/** How long a publication may take, in milliseconds. */
const PUBLISH_LIMIT_MS = 30_000
/** Memories that are asked for. */
const LIMIT = 8

/** A memory service beside the log: it gets what is decided, and is asked what other sessions know. */
export interface MemoryLink {
  /** Publishes what changed since the last time, without anybody waiting. What fails is published the next time. */
  publish(record: SessionRecord): void
  /** What the memory knows about a query, as lines for a model; empty when it knows nothing or does not answer in time. */
  recall(query: string, record: SessionRecord, signal: AbortSignal | undefined): Promise<string>
  /** Waits for what is on its way. */
  stop(): Promise<void>
  status(): Readonly<Record<string, unknown>>
}

export function createMemoryLink(memory: ExternalMemory): MemoryLink {
  const enqueue = createSerialQueue()
  /** Events of the log that the memory knows. */
  let published = 0
  let lastFailure: string | undefined

  const publish = async ({ ledger }: SessionRecord): Promise<void> => {
    const events = ledger.events.slice(published)
    const ids = new Set(events.flatMap((event) => (event.type === 'withdrawn' ? [] : [event.decision])))
    const changed = [...ids].flatMap((id) => ledger.get(id) ?? [])
    const memories = toMemories(changed, ledger)
    if (memories.length > 0) await memory.publish(memories, { signal: AbortSignal.timeout(PUBLISH_LIMIT_MS) })
    published += events.length
  }

  return {
    publish(record) {
      enqueue(() => publish(record)).catch((error: unknown) => {
        lastFailure = errorText(error)
      })
    },
    async recall(query, { ledger, session }, signal) {
      if (query.trim() === '') return ''
      const limit = AbortSignal.timeout(SEARCH_LIMIT_MS)
      const either = signal === undefined ? limit : AbortSignal.any([signal, limit])
      try {
        const found = await abortable(memory.search(query, { limit: LIMIT, signal: either }), either)
        const has = (id: string) => ledger.get(id) !== undefined
        return fromMemories(found, { name: memory.name, session, has }).text
      } catch (error) {
        signal?.throwIfAborted()
        lastFailure = errorText(error)
        return ''
      }
    },
    stop: () => enqueue(async () => {}),
    status: () => ({ name: memory.name, published, ...(lastFailure && { lastFailure }) }),
  }
}
