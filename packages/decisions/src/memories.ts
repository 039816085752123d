import { isObject, redactSecrets } from '@palimpsest/core'
import type { ExternalMemory, FoundMemory } from './memory-link.ts'

export interface MemoryServiceOptions {
  readonly apiKey: string
  /** The namespace of a project's decisions: 1 to 100 letters, digits, `-`, `_` and `.`. */
  readonly container: string
  /** Address of the service. Default: its hosted address. */
  readonly baseUrl?: string
  /** Time limit of one request, in milliseconds. Default 10,000. */
  readonly timeoutMs?: number
}

type Json = Readonly<Record<string, unknown>>
type CallService = (method: 'POST' | 'PUT', path: string, body: Json, signal: AbortSignal) => Promise<Json>

/** No retries: the engine publishes again anyway. */
function createCall(
  { apiKey, container, baseUrl, timeoutMs = 10_000 }: MemoryServiceOptions,
  name: string,
  address: string,
  scheme: string,
): CallService {
  if (!/^[\w.-]{1,100}$/.test(container))
    throw new TypeError('container must be 1 to 100 letters, digits, hyphens, underscores and dots')
  const fail = (what: string, said: string): Error =>
    new Error(
      `${name} ${what} (${redactSecrets(said.slice(0, 200).replaceAll(apiKey, '…')).replace(/\s+/g, ' ')})`,
    )
  const headers = { authorization: `${scheme} ${apiKey}`, 'content-type': 'application/json' }
  return async (method, path, body, given) => {
    const signal = AbortSignal.any([given, AbortSignal.timeout(timeoutMs)])
    // A redirect must not receive the key.
    const request = { method, headers, signal, redirect: 'error', body: JSON.stringify(body) } as const
    const response = await fetch(`${(baseUrl ?? address).replace(/(?<!\/)\/+$/, '')}${path}`, request).catch(
      (error: unknown) => {
        given.throwIfAborted()
        throw fail('was not reached', String(error instanceof Error ? (error.cause ?? error) : error))
      },
    )
    const text = await response.text()
    if (!response.ok)
      throw fail(
        /40[13]/.test(`${response.status}`) ? 'refused the key' : 'failed',
        `${response.status} ${text}`,
      )
    try {
      const answer: unknown = JSON.parse(text)
      if (isObject(answer)) return answer as Json
    } catch {}
    throw fail('answered with something else than it says', text)
  }
}

/** A service may only add texts, so the newest one of a decision counts. */
function readFound(
  list: unknown,
  keys: { id: string; text: string; at: string },
  limit: number,
): FoundMemory[] {
  if (!Array.isArray(list))
    throw new TypeError('the memory answered without a list of results; check its address')
  const found = new Map<string, FoundMemory & { readonly at: string }>()
  for (const item of list.filter(isObject)) {
    const { [keys.id]: own, [keys.text]: text, [keys.at]: at = '', metadata } = item as Json
    if (typeof own !== 'string' || typeof text !== 'string' || text === '') continue
    const { palimpsest: id = own, session } = (isObject(metadata) ? metadata : {}) as {
      palimpsest?: string
      session?: string
    }
    const known = found.get(id)
    if (known === undefined || String(at) > known.at)
      found.set(id, { id, text, at: String(at), ...(typeof session === 'string' && { session }) })
  }
  return [...found.values()].slice(0, limit).map(({ at: _, ...memory }) => memory)
}

/**
 * Keeps decisions in Mem0's hosted platform, with the container as `user_id`. Texts are stored unchanged (`infer:
 * false`); a repeated one is found by its metadata and updated.
 */
export function createMem0Memory(options: MemoryServiceOptions): ExternalMemory {
  const { container: user_id } = options
  const call = createCall(options, 'Mem0', 'https://api.mem0.ai', 'Token')
  return {
    name: 'Mem0',
    async publish(memories, { signal }) {
      for (const { id, session, text } of memories) {
        const metadata = { palimpsest: id, session: session.toWellFormed() }
        const filters = { AND: [{ user_id }, { metadata: { palimpsest: id } }] }
        const { results } = await call('POST', '/v3/memories/?page=1&page_size=1', { filters }, signal)
        const known = Array.isArray(results) && isObject(results[0]) ? (results[0] as Json).id : undefined
        if (typeof known === 'string')
          await call(
            'PUT',
            `/v1/memories/${encodeURIComponent(known)}/`,
            { text: text.toWellFormed(), metadata },
            signal,
          )
        else {
          const messages = [{ role: 'user', content: text.toWellFormed() }]
          await call('POST', '/v3/memories/add/', { messages, user_id, metadata, infer: false }, signal)
        }
      }
    },
    async search(query, { limit, signal }) {
      const body = { query, filters: { user_id }, top_k: limit }
      const { results } = await call('POST', '/v3/memories/search/', body, signal)
      return readFound(results, { id: 'id', text: 'memory', at: 'updated_at' }, limit)
    },
  }
}

/**
 * Keeps decisions in Zep, in a separate graph per container (`graph_id`), created if missing. Each text is an episode,
 * which Zep stores and searches verbatim.
 */
export function createZepMemory(options: MemoryServiceOptions): ExternalMemory {
  const { container: graph_id } = options
  const call = createCall(options, 'Zep', 'https://api.getzep.com/api/v2', 'Api-Key')
  let made: Promise<unknown> | undefined
  /** A rejection means that the graph exists; if it does not, the next call fails. */
  const ensureGraph = async (signal: AbortSignal): Promise<void> => {
    made ??= call('POST', '/graph/create', { graph_id }, signal).catch(() => {})
    await made
  }
  return {
    name: 'Zep',
    async publish(memories, { signal }) {
      await ensureGraph(signal)
      for (const { id, session, text } of memories) {
        const metadata = { palimpsest: id, session: session.toWellFormed() }
        await call('POST', '/graph', { graph_id, type: 'text', data: text.toWellFormed(), metadata }, signal)
      }
    },
    async search(query, { limit, signal }) {
      await ensureGraph(signal)
      const body = { graph_id, query, scope: 'episodes', limit: Math.min(50, 2 * limit) }
      // An empty result has no list at all.
      const { episodes = [] } = await call('POST', '/graph/search', body, signal)
      return readFound(episodes, { id: 'uuid', text: 'content', at: 'created_at' }, limit)
    },
  }
}
