type Json = Readonly<Record<string, unknown>>

/** A request as the API got it: the bytes, and what they say. */
export interface ReceivedRequest {
  readonly bytes: string
  readonly body: Json
}

/** Where a marker may stand, as a path into the body. */
const PLACES = /^(tools\.\d+|system\.\d+|messages\.\d+\.content\.\d+)$/
/** Values here belong to the host: a key of that name in them is no marker. */
const OPAQUE = new Set(['input', 'input_schema'])

/**
 * The rules of markers, found again from the description of the API and without any code of the package, so that the
 * two can disagree. Names what is broken; empty when the request would be taken.
 */
export function markerFaults(body: Json): string[] {
  const faults: string[] = []
  const found: { path: string; holder: Json; marker: Json }[] = []
  walk(body, '', (path, holder) => {
    const marker = holder.cache_control as Json | null | undefined
    if (marker === undefined || marker === null || path === '') return
    if (PLACES.test(path)) found.push({ path, holder, marker })
    else if (/^messages\.\d+$/.test(path)) faults.push('marker-on-message')
    else faults.push('marker-inside-block')
  })
  for (const { path, holder, marker } of found) {
    if (holder.type === 'thinking' || holder.type === 'redacted_thinking') faults.push('marker-on-thinking')
    if (holder.type === 'text' && String(holder.text).trim() === '') faults.push('marker-on-empty-text')
    if (holder.defer_loading === true && path.startsWith('tools')) faults.push('marker-on-deferred-tool')
    const message = (body.messages as Json[])[Number(path.split('.')[1])]
    if (path.startsWith('messages') && (message?.clear_at ?? null) !== null) faults.push('marker-on-clear-at')
    checkLifetime(marker, faults)
  }
  if (found.length > 4) faults.push('too-many-breakpoints')
  return [...new Set(faults)]
}

/**
 * Requests that the API refuses whatever the markers: blank texts, thinking at the end, calls without results, ids and
 * sources of other providers.
 */
export function contentFaults(body: Json): string[] {
  const faults: string[] = []
  walk(body, '', (path, holder) => {
    if (holder.type === 'text' && typeof holder.text === 'string' && holder.text.trim() === '')
      faults.push(`${path}: text content blocks must be non-empty`)
    if (holder.type === 'thinking' && path.includes('content') && !holder.signature)
      faults.push(`${path}.signature: field required`)
    if (holder.type === 'tool_use' && !/^[a-zA-Z0-9_-]+$/.test(String(holder.id)))
      faults.push(`${path}.id: should match pattern`)
    if (holder.type === 'tool_use' && (typeof holder.input !== 'object' || Array.isArray(holder.input)))
      faults.push(`${path}.input: should be an object`)
    const { media_type: mediaType } = (holder.source ?? {}) as Json
    if (
      holder.type === 'image' &&
      mediaType !== undefined &&
      !/^image\/(png|jpeg|gif|webp)$/.test(String(mediaType))
    )
      faults.push(`${path}.source.media_type: unknown`)
    for (const value of Object.values(holder))
      if (typeof value === 'string' && !value.isWellFormed())
        faults.push(`${path}: no low surrogate in string`)
  })
  for (const [index, turn] of turnsOf(body).entries())
    checkTurn(turn, turnsOf(body)[index + 1], index, faults)
  return faults
}

/** An API that keeps what it got and answers 400 to what it would refuse. `fetch` goes into the SDK. */
export function fakeAnthropic(rules: (body: Json) => string[]): {
  readonly received: ReceivedRequest[]
  readonly fetch: typeof globalThis.fetch
} {
  const received: ReceivedRequest[] = []
  return {
    received,
    fetch: async (_url, init) => {
      const bytes = String(init?.body)
      const body = JSON.parse(bytes) as Json
      received.push({ bytes, body })
      const [fault] = rules(body)
      if (fault !== undefined) {
        const error = { type: 'error', error: { type: 'invalid_request_error', message: fault } }
        return Response.json(error, { status: 400 })
      }
      return Response.json(ANSWER)
    },
  }
}

const ANSWER = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'claude-opus-5',
  content: [{ type: 'text', text: 'Done.' }],
  stop_reason: 'end_turn',
  usage: { input_tokens: 3, output_tokens: 2, cache_creation_input_tokens: 10, cache_read_input_tokens: 0 },
}

function walk(value: unknown, path: string, visit: (path: string, holder: Json) => void): void {
  if (typeof value !== 'object' || value === null) return
  if (!Array.isArray(value)) visit(path, value as Json)
  for (const [key, inner] of Object.entries(value))
    if (!OPAQUE.has(key)) walk(inner, path === '' ? key : `${path}.${key}`, visit)
}

function checkLifetime({ type, ttl }: Json, faults: string[]): void {
  if (type !== 'ephemeral') faults.push('unknown-marker')
  if (ttl !== undefined && ttl !== '5m' && ttl !== '1h') faults.push('unknown-ttl')
}

interface Turn {
  role: unknown
  blocks: Json[]
}

/** Messages of one role in a row are one turn to the API. */
function turnsOf({ messages }: Json): Turn[] {
  const turns: Turn[] = []
  for (const { role, content } of messages as Json[]) {
    const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : (content as Json[])
    const last = turns.at(-1)
    if (last?.role === role) last?.blocks.push(...blocks)
    else turns.push({ role, blocks: [...blocks] })
  }
  return turns
}

function checkTurn({ role, blocks }: Turn, next: Turn | undefined, index: number, faults: string[]): void {
  if (blocks.length === 0) faults.push(`turn ${index}: must have non-empty content`)
  if (role === 'assistant' && /thinking/.test(String(blocks.at(-1)?.type)))
    faults.push(`turn ${index}: the final block cannot be thinking`)
  const calls = blocks.filter(({ type }) => type === 'tool_use').map(({ id }) => id)
  if (new Set(calls).size < calls.length) faults.push(`turn ${index}: tool_use ids must be unique`)
  if (role === 'assistant' && calls.length > 0) {
    const answered = (next?.blocks ?? []).slice(0, calls.length)
    const ids = answered.filter(({ type }) => type === 'tool_result').map(({ tool_use_id: id }) => id)
    if (calls.some((id) => !ids.includes(id))) faults.push(`turn ${index}: tool_use ids without tool_result`)
  }
  if (index === 0 && blocks.some(({ type }) => type === 'tool_result'))
    faults.push('turn 0: tool_result without tool_use')
}
