import { type Body, type Kept, matching, nextDate, type Protocol } from './fake-service.ts'

/** The platform of Mem0: texts are added under ids of its own, and updated by them. */
export const mem0: Protocol = {
  authorization: 'Token',
  answer({ route, body }, kept) {
    const shown = ({ id, text, metadata, at }: Kept) => ({
      id,
      memory: text,
      metadata,
      updated_at: at,
      score: 0.8,
    })
    if (route === 'POST /v3/memories/add/') {
      const { messages, user_id, metadata, infer } = body
      if (typeof user_id !== 'string') return [400, { error: 'At least one entity ID is required' }]
      // Only the user's messages are stored, and as they are only when nothing is to be inferred.
      for (const { role, content } of messages as { role: string; content: string }[])
        if (role === 'user')
          kept.push({
            ...{ id: `m${kept.length}`, container: user_id, metadata: metadata as Body, at: nextDate() },
            text: infer === false ? content : `The user said something about ${content.length} things`,
          })
      return [200, { message: 'queued', status: 'PENDING', event_id: `e${kept.length}` }]
    }
    if (route === 'POST /v3/memories/?page=1&page_size=1') {
      const [{ user_id } = {}, { metadata = {} } = {}] = ((body.filters as Body).AND ?? []) as Body[]
      const results = kept.filter(
        (each) =>
          each.container === user_id &&
          Object.entries(metadata as Body).every(([key, value]) => each.metadata[key] === value),
      )
      return [
        200,
        { count: results.length, next: null, previous: null, results: results.slice(0, 1).map(shown) },
      ]
    }
    const id = /^PUT \/v1\/memories\/(\w+)\/$/.exec(route)?.[1]
    const known = kept.find((each) => each.id === id)
    if (known !== undefined) {
      put(kept, { ...known, text: String(body.text), metadata: body.metadata as Body, at: nextDate() })
      return [200, { id, text: body.text }]
    }
    if (route !== 'POST /v3/memories/search/') return [404, { detail: 'Not found.' }]
    const { user_id } = (body.filters ?? {}) as Body
    if (user_id === undefined) return [400, { error: 'filters are required' }]
    return [200, { results: matching(kept, body.query, user_id, body.top_k ?? 10).map(shown) }]
  },
}

/** Zep: episodes are added to a graph that was made before, and never replaced. */
export function zep(): Protocol {
  const graphs = new Set<unknown>()
  return {
    authorization: 'Api-Key',
    answer({ route, body }, kept) {
      const { graph_id } = body
      if (route === 'POST /graph/create') {
        if (graphs.has(graph_id)) return [400, { message: `graph ${graph_id} exists already` }]
        graphs.add(graph_id)
        return [201, { graph_id, uuid: 'g1' }]
      }
      if (!graphs.has(graph_id)) return [404, { message: `graph not found: ${graph_id}` }]
      if (route === 'POST /graph') {
        const { data, type, metadata } = body
        if (type !== 'text' || typeof data !== 'string')
          return [400, { message: 'data and type are required' }]
        const uuid = `u${kept.length}`
        kept.push({
          id: uuid,
          container: String(graph_id),
          text: data,
          metadata: metadata as Body,
          at: nextDate(),
        })
        return [202, { uuid, content: data, created_at: nextDate(), processed: false }]
      }
      if (route !== 'POST /graph/search') return [404, { message: 'not found' }]
      if (Number(body.limit) > 50) return [400, { message: 'limit must be at most 50' }]
      if (body.scope !== 'episodes') return [200, { edges: [] }]
      const found = matching(kept, body.query, graph_id, body.limit ?? 10)
      const episodes = found.map(({ id, text, metadata, at }) => ({
        ...{ uuid: id, content: text, metadata, created_at: at, processed: true, source: 'text' },
      }))
      return [200, episodes.length === 0 ? {} : { episodes }]
    },
  }
}

function put(kept: Kept[], added: Kept): void {
  const place = kept.findIndex(({ id, container }) => id === added.id && container === added.container)
  kept.splice(place === -1 ? kept.length : place, place === -1 ? 0 : 1, added)
}
