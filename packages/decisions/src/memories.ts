import { type ExternalMemory, MemoryError } from './exchange/memory/external-memory.ts'
import { createServiceCall, type MemoryServiceOptions, queryText } from './exchange/memory/memory-service.ts'
import { assertStored, listIn, memoryMetadata, readFound, textIn } from './exchange/memory/read-found.ts'

export { DEFAULT_MEMORY_TIMEOUT_MS, type MemoryServiceOptions } from './exchange/memory/memory-service.ts'

const MEM0_FIELDS = { list: 'results', id: 'id', text: ['memory'], at: 'updated_at' }

/**
 * Decisions in the hosted platform of Mem0, which has other paths than its server for own machines. The container is the
 * `user_id`. Texts are stored as they are (`infer: false`), because text that a service has rewritten is no evidence of
 * what was said; such a text is not compared with others there, so one that is published again is looked up by its metadata
 * and updated.
 */
export function createMem0Memory(options: MemoryServiceOptions): ExternalMemory {
  const { container } = options
  const call = createServiceCall(options, {
    ...{ name: 'Mem0', baseUrl: 'https://api.mem0.ai', authorization: 'Token' },
  })

  /** Mem0's own id of a decision; undefined when it has none, or has not worked it in yet. */
  const idOf = async (decision: string, signal: AbortSignal | undefined): Promise<string | undefined> => {
    const filters = { AND: [{ user_id: container }, { metadata: { palimpsest: decision } }] }
    const path = '/v3/memories/?page=1&page_size=1'
    const answer = await call({ method: 'POST', path, body: { filters }, signal })
    return textIn(listIn(answer, 'results')[0], 'id')
  }

  return {
    name: 'Mem0',
    async publish(memories, { signal } = {}) {
      for (const memory of memories) {
        const text = memory.text.toWellFormed()
        const metadata = memoryMetadata(memory)
        const known = await idOf(memory.id, signal)
        if (known !== undefined) {
          const path = `/v1/memories/${encodeURIComponent(known)}/`
          await call({ method: 'PUT', path, body: { text, metadata }, signal })
          continue
        }
        const messages = [{ role: 'user', content: text }]
        const body = { messages, user_id: container, metadata, infer: false }
        await call({ method: 'POST', path: '/v3/memories/add/', body, signal })
      }
    },
    async search(query, { limit, signal }) {
      const text = queryText(query)
      if (text === '' || limit < 1) return []
      const body = { query: text, filters: { user_id: container }, top_k: limit }
      return readFound(
        await call({ method: 'POST', path: '/v3/memories/search/', body, signal }),
        MEM0_FIELDS,
        limit,
      )
    },
  }
}

/**
 * Decisions in Supermemory, hosted or on an own server. Each decision is a document under its own id, so that it is
 * replaced when it is published again; documents are kept as they are (`taskType: 'superrag'`), because text that a
 * service has rewritten is no evidence of what was said.
 */
export function createSupermemoryMemory(options: MemoryServiceOptions): ExternalMemory {
  const { container: containerTag } = options
  const call = createServiceCall(options, {
    ...{ name: 'Supermemory', baseUrl: 'https://api.supermemory.ai', authorization: 'Bearer' },
  })
  return {
    name: 'Supermemory',
    async publish(memories, { signal } = {}) {
      for (const memory of memories) {
        const content = memory.text.toWellFormed()
        const metadata = memoryMetadata(memory)
        const body = { content, containerTag, customId: memory.id, taskType: 'superrag', metadata }
        assertStored(await call({ method: 'POST', path: '/v3/documents', body, signal }), 'id')
      }
    },
    async search(query, { limit, signal }) {
      const q = queryText(query)
      if (q === '' || limit < 1) return []
      const body = { q, containerTag, limit, searchMode: 'documents' }
      const answer = await call({ method: 'POST', path: '/v4/search', body, signal })
      const fields = { list: 'results', id: 'id', text: ['chunk', 'memory'], at: 'updatedAt' }
      return readFound(answer, fields, limit)
    },
  }
}

/** Results that one search gives at most. */
const MOST_RESULTS = 50

/**
 * Decisions in Zep. The container is a graph of its own (`graph_id`), which is made when it is not there. Each text is
 * an episode, which Zep keeps word for word beside what it makes of it, and which is what is searched: text that a service has
 * rewritten is no evidence of what was said. Zep only adds: of the texts of one decision the newest is read.
 */
export function createZepMemory(options: MemoryServiceOptions): ExternalMemory {
  const { container: graph_id } = options
  const call = createServiceCall(options, {
    ...{ name: 'Zep', baseUrl: 'https://api.getzep.com/api/v2', authorization: 'Api-Key' },
  })
  let isThere = false

  /** Makes the graph once. A service that refuses has it; if it has not, what follows says so. */
  const ensureGraph = async (signal: AbortSignal | undefined): Promise<void> => {
    if (isThere) return
    await call({ method: 'POST', path: '/graph/create', body: { graph_id }, signal }).catch(
      (error: unknown) => {
        if (!MemoryError.isInstance(error) || error.code !== 'MEMORY_REFUSED') throw error
      },
    )
    isThere = true
  }

  return {
    name: 'Zep',
    async publish(memories, { signal } = {}) {
      await ensureGraph(signal)
      for (const memory of memories) {
        const metadata = memoryMetadata(memory)
        const body = { graph_id, type: 'text', data: memory.text.toWellFormed(), metadata }
        assertStored(await call({ method: 'POST', path: '/graph', body, signal }), 'uuid')
      }
    },
    async search(query, { limit, signal }) {
      const text = queryText(query)
      if (text === '' || limit < 1) return []
      await ensureGraph(signal)
      const most = Math.min(MOST_RESULTS, 2 * limit)
      const body = { graph_id, query: text, scope: 'episodes', limit: most }
      const answer = await call({ method: 'POST', path: '/graph/search', body, signal })
      // Nothing found is no list at all.
      const fields = { list: 'episodes', id: 'uuid', text: ['content'], at: 'created_at' }
      return readFound({ episodes: [], ...(answer as object) }, fields, limit)
    },
  }
}
