import type { ExternalMemory } from './external-memory.ts'
import { MemoryError } from './memory-error.ts'
import { createServiceCall, type MemoryServiceOptions, queryText } from './memory-service.ts'
import { assertStored, memoryMetadata, readFound } from './read-found.ts'

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
