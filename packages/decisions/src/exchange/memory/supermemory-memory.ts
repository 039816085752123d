import type { ExternalMemory } from './external-memory.ts'
import { createServiceCall, type MemoryServiceOptions, queryText } from './memory-service.ts'
import { assertStored, memoryMetadata, readFound } from './read-found.ts'

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
