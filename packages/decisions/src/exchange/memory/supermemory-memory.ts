import { abortable } from '@palimpsest/core'
import type { Supermemory } from 'supermemory'
import type { ExternalMemory, FoundMemory, Memory } from './external-memory.ts'
import { MemoryError } from './memory-error.ts'
import { readSearch } from './read-search.ts'
import { toMemoryError } from './to-memory-error.ts'

/** The part of the client of the package `supermemory` that is used. */
export type SupermemoryClient = Pick<Supermemory, 'add' | 'search'>

export interface SupermemoryOptions {
  /**
   * The client, made by the host with its own key and address: `new Supermemory({ apiKey, baseURL })`. This package
   * neither reads the environment nor loads the client's package.
   */
  readonly client: SupermemoryClient
  /** What keeps the decisions of one project apart from others: at most 100 letters, digits, `-`, `_` and `.`. */
  readonly containerTag: string
  /** Milliseconds that one request may take. Default: 10,000. */
  readonly timeoutMs?: number
}

/** Milliseconds that a request may take: recalling is worth a short wait before a turn, and no longer. */
export const DEFAULT_MEMORY_TIMEOUT_MS = 10_000

/** Characters of a query that are sent. */
const QUERY_CHARACTERS = 1_000

/**
 * Decisions in Supermemory, hosted or on an own server. Each decision is a document under its own id, so that it is
 * replaced when it is published again; documents are kept as they are (`taskType: 'superrag'`), because text that a
 * service has rewritten is no evidence of what was said. Nothing is tried twice: the engine publishes again anyway.
 */
export function createSupermemoryMemory(options: SupermemoryOptions): ExternalMemory {
  const { client, containerTag, timeoutMs = DEFAULT_MEMORY_TIMEOUT_MS } = options
  if (!/^[\w.-]{1,100}$/.test(containerTag))
    throw new TypeError('containerTag must be 1 to 100 letters, digits, hyphens, underscores and dots')

  /** A request with the limits of this memory. */
  const call = async <T>(
    signal: AbortSignal | undefined,
    request: (limits: { timeout: number; maxRetries: 0; signal?: AbortSignal }) => PromiseLike<T>,
  ): Promise<T> => {
    signal?.throwIfAborted()
    try {
      const limits = { timeout: timeoutMs, maxRetries: 0, ...(signal !== undefined && { signal }) } as const
      return await abortable(request(limits), signal)
    } catch (error) {
      signal?.throwIfAborted()
      throw toMemoryError(error)
    }
  }

  return {
    name: 'Supermemory',
    async publish(memories, { signal } = {}) {
      for (const memory of memories) {
        const answer: unknown = await call(signal, (limits) =>
          client.add(documentOf(memory, containerTag), limits),
        )
        if (typeof answer !== 'object' || answer === null || !('id' in answer))
          throw new MemoryError('MEMORY_MALFORMED', 'Supermemory answered without an id; check its address')
      }
    },
    async search(query, { limit, signal }): Promise<readonly FoundMemory[]> {
      const q = query.slice(0, QUERY_CHARACTERS).toWellFormed().trim()
      if (q === '' || limit < 1) return []
      const answer: unknown = await call(signal, (limits) =>
        client.search({ q, containerTag, limit, searchMode: 'documents' }, limits),
      )
      return readSearch(answer, limit)
    },
  }
}

function documentOf({ id, text, session }: Memory, containerTag: string) {
  return {
    content: text.toWellFormed(),
    containerTag,
    customId: id,
    taskType: 'superrag' as const,
    metadata: { palimpsest: id, session: session.toWellFormed() },
  }
}
