import type { ExternalMemory } from './external-memory.ts'
import { createServiceCall, type MemoryServiceOptions, queryText } from './memory-service.ts'
import { listIn, memoryMetadata, readFound, textIn } from './read-found.ts'

const FIELDS = { list: 'results', id: 'id', text: ['memory'], at: 'updated_at' }

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
        FIELDS,
        limit,
      )
    },
  }
}
