import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createTokenCounter } from '@palimpsest/tokens'
import { listenForTest, pieces, withBody } from '../mock-server.ts'
import {
  type AnthropicBody,
  anthropicFault,
  type Block,
  blocksOf,
  compactionFault,
  promptBefore,
} from './anthropic-fault.ts'

export interface AnthropicReply {
  readonly thinking?: string
  readonly text?: string
  /** Blocks that are sent as they are, whole. */
  readonly blocks?: readonly Block[]
  readonly calls?: readonly { readonly name: string; readonly input: object }[]
}

export interface AnthropicRequest {
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly text: string
  readonly body: AnthropicBody
  /** In tokens, as this server counts. */
  readonly promptTokens: number
}

interface MockInput {
  readonly window?: number
  readonly answer: (body: AnthropicBody) => AnthropicReply
  /** Tokens that the list of models says. */
  readonly listed?: number
  /** The usage of its cache that it reports, by the number of the request, from 0. Default: nothing is cached. */
  readonly cached?: (request: number) => CacheUsage
}

/** Tokens of a prompt, as usage has them. */
interface CacheUsage {
  readonly read: number
  readonly write5m: number
  readonly write1h?: number
}

/** The next request gets this. */
type Fault =
  | { readonly type: 'status'; readonly status: number; readonly kind: string; readonly message: string }
  | { readonly type: 'disconnect' | 'error-event' }

/** A server with the protocol of Anthropic's Messages API, as strict as that. */
export interface MockAnthropic {
  /** With `/v1`. */
  readonly baseUrl: string
  readonly requests: AnthropicRequest[]
  readonly paths: string[]
  /** Refused because they were too long. */
  readonly overflows: number
  /** Faults that it found in requests. */
  readonly faults: string[]
  /** Blocks of thinking that came back, in all requests. */
  readonly thinkingSeen: number
  failNext(fault: Fault): void
}

const tokens = createTokenCounter()

export async function startMockAnthropic({
  window = 200_000,
  answer,
  listed,
  cached = () => ({ read: 0, write5m: 0 }),
}: MockInput): Promise<MockAnthropic> {
  const requests: AnthropicRequest[] = []
  const paths: string[] = []
  const faults: string[] = []
  const pending: Fault[] = []
  const issued = new Map<string, string>()
  const compactions = new Map<unknown, string>()
  let overflows = 0
  let thinkingSeen = 0
  let ids = 0

  const replyBlocks = (reply: AnthropicReply, body: AnthropicBody): Block[] => {
    const signature = `sig_${++ids}_${'x'.repeat(40)}`
    if (reply.thinking !== undefined) issued.set(signature, promptBefore(body))
    return [
      ...(reply.thinking === undefined ? [] : [{ type: 'thinking', thinking: reply.thinking, signature }]),
      ...(reply.text === undefined ? [] : [{ type: 'text', text: reply.text }]),
      ...(reply.blocks ?? []),
      ...(reply.calls ?? []).map((call) => ({ type: 'tool_use', id: `toolu_${++ids}`, ...call })),
    ]
  }

  /** The compaction that a request asks for: alone and signed, or in front of the answer when the prompt is long enough. */
  const compactionFor = (body: AnthropicBody, promptTokens: number): Block | undefined => {
    const content = `The provider's summary ${++ids}.`
    const block =
      body.compaction === undefined
        ? { type: 'compaction', content, encrypted_content: `sealed_${ids}` }
        : { type: 'compaction', content, encrypted_content: null, signature: `sig_${ids}`, tool_changes: [] }
    if (body.compaction === undefined && promptTokens < triggerOf(body)) return undefined
    compactions.set('signature' in block ? block.signature : block.encrypted_content, JSON.stringify(block))
    return block
  }

  const messages = (request: IncomingMessage, response: ServerResponse, text: string): void => {
    const body = JSON.parse(text) as AnthropicBody
    const promptTokens = tokensOf(body)
    requests.push({ path: request.url ?? '', headers: request.headers, text, body, promptTokens })
    const fault = pending.shift()
    if (fault?.type === 'status') {
      refuse(response, fault.status, fault.kind, fault.message)
      return
    }
    const betas = String(request.headers['anthropic-beta'] ?? '')
    const broken = anthropicFault(body, issued) ?? compactionFault(body, betas, compactions)
    if (broken !== undefined) {
      faults.push(broken)
      refuse(response, 400, 'invalid_request_error', broken)
      return
    }
    if (promptTokens > window) {
      overflows++
      const message = `prompt is too long: ${promptTokens} tokens > ${window} maximum`
      refuse(response, 400, 'invalid_request_error', message)
      return
    }
    thinkingSeen += body.messages.flatMap(({ content }) => blocksOf(content)).filter(isThinking).length
    const isSilent = body.max_tokens === 0
    const compaction = compactionFor(body, promptTokens)
    const isAlone = body.compaction !== undefined
    const reply = isSilent || isAlone ? {} : answer(body)
    const content = [...(compaction === undefined ? [] : [compaction]), ...replyBlocks(reply, body)]
    const { read, write5m, write1h = 0 } = cached(requests.length - 1)
    const counted = {
      input_tokens: promptTokens - read - write5m - write1h,
      cache_creation_input_tokens: write5m + write1h,
      cache_read_input_tokens: read,
      cache_creation: { ephemeral_5m_input_tokens: write5m, ephemeral_1h_input_tokens: write1h },
    }
    const sampled = { ...counted, output_tokens: COMPACTION_TOKENS, type: 'compaction' }
    // The counts of the answer have no part of a compaction.
    const usage = {
      ...(isAlone ? { ...counted, input_tokens: 0 } : counted),
      ...(compaction && { iterations: [sampled, ...(isAlone ? [] : [{ ...counted, type: 'message' }])] }),
    }
    const stop = isAlone ? 'compaction' : isSilent ? 'max_tokens' : reply.calls ? 'tool_use' : 'end_turn'
    const id = `msg_${++ids}`
    const envelope = { id, type: 'message', role: 'assistant', model: body.model }
    const output = { output_tokens: isSilent || isAlone ? 0 : tokens.countText(JSON.stringify(content)) }
    response.setHeader('request-id', `req_${id}`)
    if (body.stream !== true) {
      const end = { stop_reason: stop, stop_sequence: null, usage: { ...usage, ...output } }
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ ...envelope, content, ...end }))
      return
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const say = (event: { type: string; [field: string]: unknown }) =>
      response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
    const begun = { ...envelope, content: [], stop_reason: null, stop_sequence: null }
    say({ type: 'message_start', message: { ...begun, usage: { ...usage, output_tokens: 1 } } })
    say({ type: 'ping' })
    for (const [index, block] of content.entries()) {
      streamBlock(index, block, say)
      if (fault?.type === 'disconnect') {
        response.write(': going\n\n', () => setImmediate(() => response.destroy()))
        return
      }
      if (fault?.type === 'error-event') {
        say({ type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } })
        response.end()
        return
      }
    }
    say({ type: 'message_delta', delta: { stop_reason: stop, stop_sequence: null }, usage: output })
    say({ type: 'message_stop' })
    response.end()
  }

  const read = withBody((request, response, text) => {
    const path = request.url?.split('?')[0]
    try {
      if (path === '/v1/messages') {
        messages(request, response, text)
        return
      }
    } catch (error) {
      response.writeHead(599).end(String(error))
      return
    }
    response.setHeader('content-type', 'application/json')
    if (path === '/v1/messages/count_tokens')
      response.end(JSON.stringify({ input_tokens: tokensOf(JSON.parse(text)) }))
    else if (path === '/v1/models') {
      const model = { type: 'model', id: 'claude-sonnet-5-5', ...(listed && { max_input_tokens: listed }) }
      response.end(JSON.stringify({ data: [model], has_more: false }))
    } else refuse(response, 404, 'not_found_error', 'Not found')
  })
  const server = createServer((request, response) => {
    paths.push(`${request.method} ${request.url}`)
    read(request, response)
  })
  const address = await listenForTest(server)
  return {
    baseUrl: `${address}/v1`,
    requests,
    paths,
    faults,
    get overflows() {
      return overflows
    },
    get thinkingSeen() {
      return thinkingSeen
    },
    failNext: (fault) => {
      pending.push(fault)
    },
  }
}

/** Tokens that each compaction takes to write. */
export const COMPACTION_TOKENS = 700

/** Tokens of a prompt above which the client has it compacted. */
function triggerOf({ context_management: managed }: AnthropicBody): number {
  const { edits = [] } = (managed ?? {}) as { edits?: { type: string; trigger?: { value: number } }[] }
  const edit = edits.find(({ type }) => type === 'compact_20260112')
  return edit === undefined ? Number.POSITIVE_INFINITY : (edit.trigger?.value ?? 150_000)
}

function isThinking({ type }: Block): boolean {
  return type === 'thinking'
}

function streamBlock(index: number, block: Block, say: (event: { type: string }) => void): void {
  const begin = (content_block: object) => say({ type: 'content_block_start', index, content_block } as never)
  const piece = (delta: object) => say({ type: 'content_block_delta', index, delta } as never)
  if (block.type === 'text') {
    begin({ ...block, text: '' })
    for (const text of pieces(String(block.text))) piece({ type: 'text_delta', text })
  } else if (block.type === 'thinking') {
    begin({ type: 'thinking', thinking: '', signature: '' })
    for (const thinking of pieces(String(block.thinking))) piece({ type: 'thinking_delta', thinking })
    piece({ type: 'signature_delta', signature: block.signature })
  } else if (block.type === 'tool_use') {
    begin({ ...block, input: {} })
    for (const partial_json of ['', ...pieces(JSON.stringify(block.input))])
      piece({ type: 'input_json_delta', partial_json })
  } else if (block.type === 'compaction' && block.signature === undefined) {
    begin({ type: 'compaction', content: null, encrypted_content: null })
    piece({ ...block, type: 'compaction_delta' })
  } else begin(block)
  say({ type: 'content_block_stop', index } as never)
}

/** Texts, calls and results as they are, other blocks as their JSON. */
function tokensOf({ system, messages = [], tools = [] }: AnthropicBody): number {
  const of = (block: Block): number => {
    if (block.type === 'tool_result')
      return 10 + blocksOf(block.content).reduce((sum, part) => sum + of(part), 0)
    if (block.type === 'tool_use') return 10 + tokens.countText(JSON.stringify(block.input))
    return tokens.countText(block.type === 'text' ? String(block.text) : JSON.stringify(block))
  }
  const blocks = [...blocksOf(system), ...messages.flatMap(({ content }) => blocksOf(content))]
  return blocks.reduce(
    (sum, block) => sum + of(block),
    4 * messages.length + tokens.countText(JSON.stringify(tools)),
  )
}

function refuse(response: ServerResponse, status: number, type: string, message: string): void {
  const headers = { 'content-type': 'application/json', 'retry-after': '7' }
  response.writeHead(status, headers).end(JSON.stringify({ type: 'error', error: { type, message } }))
}
