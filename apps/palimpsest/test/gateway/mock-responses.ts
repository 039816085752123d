import { createServer, type ServerResponse } from 'node:http'
import { type Loose, looseOf } from '@palimpsest/core'
import { createTokenCounter } from '@palimpsest/tokens'
import { listenForTest, pieces, withBody } from '../mock-server.ts'
import { createReasoningRules, type ResponsesBody, responsesFault } from './responses-fault.ts'

export interface ResponsesReply {
  /** Whether it thinks before it says something. */
  readonly thinks?: boolean
  readonly text?: string
  /** Sends this item and no other. */
  readonly item?: Loose
  readonly calls?: readonly {
    readonly name: string
    readonly namespace?: string
    readonly arguments?: object
    readonly input?: string
  }[]
}

/** A fault of one request. */
type ResponsesFault =
  | { readonly type: 'status'; readonly status: number; readonly error: object }
  /** In a stream, after it has begun. */
  | { readonly type: 'failed-event' | 'error-event'; readonly code: string; readonly message: string }
  | { readonly type: 'disconnect' | 'incomplete' }

interface MockResponsesInput {
  readonly window?: number
  readonly answer: (body: ResponsesBody) => ResponsesReply
  /** Tokens of each prompt that it says it read from its cache. Default 0. */
  readonly cached?: number
  /** Whether it refuses reasoning behind another beginning than its own, which OpenAI does not. Default true. */
  readonly bindsReasoning?: boolean
  /** Whether it has `/responses/compact`, and takes no other compactions than its own. Default false. */
  readonly compacts?: boolean
}

export interface MockResponses {
  readonly baseUrl: string
  readonly requests: {
    readonly path: string
    readonly headers: NodeJS.Dict<string | string[]>
    readonly text: string
    readonly body: ResponsesBody
    readonly promptTokens: number
  }[]
  /** Why requests were refused for what they hold. */
  readonly refused: string[]
  /** Reasoning items that came back where they were given. */
  readonly reasoningBack: number
  failNext(fault: ResponsesFault): void
}

const tokens = createTokenCounter()

/** A server with the protocol of OpenAI's Responses API, as strict as that, and stricter with reasoning. */
export async function startMockResponses({
  window = 128_000,
  answer,
  cached = 0,
  bindsReasoning,
  compacts = false,
}: MockResponsesInput): Promise<MockResponses> {
  const requests: MockResponses['requests'] = []
  const refused: string[] = []
  const faults: ResponsesFault[] = []
  const rules = createReasoningRules(bindsReasoning)
  /** Compactions that it wrote. */
  const sealed = new Set<string>()
  let ids = 0
  const sealedFault = ({ input }: ResponsesBody): string | undefined => {
    const items = Array.isArray(input) ? input.filter(({ type }) => type === 'compaction') : []
    return !compacts || items.every((item) => sealed.has(JSON.stringify(item)))
      ? undefined
      : 'The encrypted content of a compaction could not be verified.'
  }

  const respond = (body: ResponsesBody, promptTokens: number, response: ServerResponse) => {
    const fault = faults.shift()
    if (fault?.type === 'status') return refuse(response, fault.status, fault.error)
    const broken = responsesFault(body) ?? rules.fault(body) ?? sealedFault(body)
    if (broken !== undefined) {
      refused.push(broken)
      return refuse(response, 400, {
        message: broken,
        type: 'invalid_request_error',
        param: 'input',
        code: null,
      })
    }
    if (promptTokens > window) {
      refused.push('too long')
      return refuse(response, 400, {
        message: 'Your input exceeds the context window of this model.',
        type: 'invalid_request_error',
        param: 'input',
        code: 'context_length_exceeded',
      })
    }
    const reply = fault?.type === 'failed-event' ? {} : answer(body)
    const output = outputItems(reply, () => ++ids)
    rules.given(body, output)
    const used = tokens.countText(JSON.stringify(output))
    const usage = {
      input_tokens: promptTokens,
      input_tokens_details: { cached_tokens: cached },
      output_tokens: used,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: promptTokens + used,
    }
    const base = {
      ...{ id: `resp_${requests.length}`, object: 'response', created_at: 1_700_000_000 + requests.length },
      ...{ model: body.model, instructions: body.instructions ?? null, tools: body.tools ?? [], error: null },
    }
    const whole = { ...base, status: 'completed', output, usage, incomplete_details: null }
    if (body.stream === true) return stream({ response, base, whole, fault })
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(whole))
  }

  const read = withBody((request, response, text) => {
    const path = request.url ?? ''
    const body = looseOf(text === '' ? {} : JSON.parse(text)) as ResponsesBody
    const promptTokens = countPrompt(body)
    if (path === '/v1/models') return response.end('{"data":[]}')
    requests.push({ path, headers: request.headers, text, body, promptTokens })
    if (path === '/v1/responses/compact' && compacts) {
      const broken = responsesFault(body) ?? sealedFault(body)
      if (broken !== undefined) return refuse(response, 400, { message: broken })
      const item = { type: 'compaction', id: `cmp_${++ids}`, encrypted_content: `gAAAA_${ids}` }
      sealed.add(JSON.stringify(item))
      const said = Array.isArray(body.input) ? body.input.filter(({ role }) => role === 'user').slice(-1) : []
      const usage = { input_tokens: promptTokens, output_tokens: 50, total_tokens: promptTokens + 50 }
      const compaction = {
        id: `resp_${ids}`,
        object: 'response.compaction',
        created_at: 1_700_000_000,
        usage,
      }
      return response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ ...compaction, output: [...said, item] }))
    }
    if (path === '/v1/responses' && body.previous_response_id === undefined)
      return respond(body, promptTokens, response)
    response.writeHead(200, { 'content-type': 'application/json' }).end(`{"received":${text || 'null'}}`)
  })
  const address = await listenForTest(createServer(read))
  return {
    baseUrl: `${address}/v1`,
    requests,
    refused,
    get reasoningBack() {
      return rules.checked
    },
    failNext: (fault) => {
      faults.push(fault)
    },
  }
}

function outputItems({ thinks, text, item, calls = [] }: ResponsesReply, next: () => number): Loose[] {
  if (item !== undefined) return [item]
  const items: Loose[] = []
  if (thinks)
    items.push({
      id: `rs_${next()}`,
      type: 'reasoning',
      summary: [{ type: 'summary_text', text: 'I think.' }],
      encrypted_content: `gAAAA${String(next()).repeat(40)}`,
    })
  if (text !== undefined)
    items.push({
      ...{ id: `msg_${next()}`, type: 'message', status: 'completed' },
      content: [{ type: 'output_text', annotations: [], logprobs: [], text }],
      role: 'assistant',
    })
  for (const { arguments: args, input, ...named } of calls) {
    const shared = { status: 'completed', call_id: `call_${next()}`, ...named }
    items.push(
      input === undefined
        ? { id: `fc_${next()}`, type: 'function_call', ...shared, arguments: JSON.stringify(args ?? {}) }
        : { id: `ctc_${next()}`, type: 'custom_tool_call', ...shared, input },
    )
  }
  return items
}

interface StreamInput {
  readonly response: ServerResponse
  readonly base: Loose
  readonly whole: Loose & { readonly output: readonly Loose[] }
  readonly fault: ResponsesFault | undefined
}

function stream({ response, base, whole, fault }: StreamInput): void {
  let sequence = 0
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  const say = (type: string, data: object) =>
    response.write(
      `event: ${type}\ndata: ${JSON.stringify({ type, ...data, sequence_number: sequence++ })}\n\n`,
    )
  const begun = { ...base, status: 'in_progress', output: [], usage: null }
  say('response.created', { response: begun })
  say('response.in_progress', { response: begun })
  if (fault?.type === 'failed-event') {
    const { code, message } = fault
    say('response.failed', { response: { ...begun, status: 'failed', error: { code, message } } })
    response.end()
    return
  }
  for (const [index, item] of whole.output.entries()) {
    sayItem(say, item, index, fault === undefined || fault.type === 'incomplete')
    if (fault?.type === 'disconnect')
      return void response.write(': \n\n', () => setImmediate(() => response.destroy()))
    if (fault?.type === 'error-event') {
      const { code, message } = fault
      say('error', {
        code,
        message,
        param: null,
        error: { code, message, type: 'server_error', param: null },
      })
      response.end()
      return
    }
  }
  const isWhole = fault === undefined
  const why = { reason: 'max_output_tokens' }
  if (isWhole) say('response.completed', { response: whole })
  else say('response.incomplete', { response: { ...whole, status: 'incomplete', incomplete_details: why } })
  response.end()
}

type Say = (type: string, data: object) => void

function sayItem(say: Say, item: Loose, index: number, isWhole: boolean): void {
  const at = { item_id: item.id, output_index: index }
  const [part] = Array.isArray(item.content) ? item.content : []
  const [summary] = Array.isArray(item.summary) ? item.summary : []
  const empty = { ...item, ...('status' in item && { status: 'in_progress' }) }
  if (part !== undefined) {
    say('response.output_item.added', { output_index: index, item: { ...empty, content: [] } })
    say('response.content_part.added', { ...at, content_index: 0, part: { ...part, text: '' } })
    for (const delta of pieces(part.text))
      say('response.output_text.delta', { ...at, content_index: 0, delta, logprobs: [] })
    if (!isWhole) return
    say('response.output_text.done', { ...at, content_index: 0, text: part.text, logprobs: [] })
    say('response.content_part.done', { ...at, content_index: 0, part })
  } else if (summary !== undefined) {
    say('response.output_item.added', { output_index: index, item: { ...empty, summary: [] } })
    const place = { ...at, summary_index: 0 }
    say('response.reasoning_summary_part.added', { ...place, part: { ...summary, text: '' } })
    say('response.reasoning_summary_text.delta', { ...place, delta: summary.text })
    say('response.reasoning_summary_text.done', { ...place, text: summary.text })
    say('response.reasoning_summary_part.done', { ...place, part: summary })
  } else if (item.type === 'compaction') {
    say('response.output_item.added', { output_index: index, item })
    say('response.compaction.compacting', at)
  } else {
    const member = item.type === 'function_call' ? 'arguments' : 'input'
    const event = member === 'input' ? 'custom_tool_call_input' : 'function_call_arguments'
    say('response.output_item.added', { output_index: index, item: { ...empty, [member]: '' } })
    for (const delta of pieces(String(item[member]))) say(`response.${event}.delta`, { ...at, delta })
    say(`response.${event}.done`, { ...at, [member]: item[member] })
  }
  say('response.output_item.done', { output_index: index, item })
}

function refuse(response: ServerResponse, status: number, error: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ error }))
}

/** Counted as OpenAI does: texts, arguments and outputs, not the JSON around them; encrypted content for less. */
function countPrompt({ instructions, input, tools = [] }: ResponsesBody): number {
  const count = (value: unknown): number => {
    if (typeof value === 'string') return tokens.countText(value)
    if (Array.isArray(value)) return value.reduce((sum: number, one) => sum + count(one), 0)
    const { text, arguments: args, output, content, name, summary } = looseOf(value)
    return [text, args, output, content, name, summary, looseOf(value).input].reduce(
      (sum: number, one) => sum + (one === undefined ? 0 : count(one)),
      4,
    )
  }
  return count(instructions ?? '') + count(input ?? '') + tokens.countText(JSON.stringify(tools))
}
