import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { countMessages, looseOf, type Message } from '@palimpsest/core'
import { createTokenCounter } from '@palimpsest/tokens'
import { listenForTest, pieces, withBody } from '../mock-server.ts'
import { sequenceFault, type UpstreamBody } from './sequence-fault.ts'

export interface Reply {
  readonly content?: string
  /** What it thinks before. Calls have to come back with it. */
  readonly reasoning?: string
  readonly calls?: readonly { readonly name: string; readonly arguments: object }[]
}

/** What goes wrong with one request. */
export type Fault =
  | {
      readonly type: 'status'
      readonly status: number
      readonly body: string
      readonly headers?: Record<string, string>
    }
  /** Nothing more comes: before the headers, or in the middle of a stream. */
  | { readonly type: 'stall'; readonly at: 'start' | 'middle' }
  /** The connection breaks, the stream just ends, or an event says that something failed; in the middle. */
  | { readonly type: 'disconnect' | 'end' | 'error-event' }

export interface UpstreamRequest {
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly body: UpstreamBody
  /** In tokens, as the upstream counts. */
  readonly promptTokens: number
}

interface MockInput {
  /** Tokens, prompt and answer together. */
  readonly window?: number
  /** The model's answer, from nothing but the request. */
  readonly answer: (body: UpstreamBody) => Reply | Promise<Reply>
  /** What `/models` says of each model besides its id. */
  readonly listing?: Record<string, unknown>
  /** Names of its models. */
  readonly models?: readonly string[]
  readonly apiKey?: string
  /** Pieces of a streamed text and of arguments, in characters. */
  readonly piece?: number
}

/** A server with the protocol of OpenAI's chat completions, as strict as that. */
export interface MockUpstream {
  readonly baseUrl: string
  readonly requests: UpstreamRequest[]
  /** Of all requests. */
  readonly paths: string[]
  /** The texts of all requests. */
  readonly bodies: string[]
  /** Refused because they were too long. */
  readonly overflows: number
  /** Why requests were refused for their reasoning. */
  readonly missed: string[]
  /** Reasoning that came back, in all requests. */
  readonly reasoningBack: number
  /** Clients that went away before the answer was over. */
  readonly aborted: number
  /** The next request gets this. */
  failNext(fault: Fault): void
  /** Ends what was begun as an answer to `/completions`. */
  goOn(): void
}

const MODELS = ['mock-large', 'mock-small']
const tokens = createTokenCounter()

export async function startMockUpstream(input: MockInput): Promise<MockUpstream> {
  const { window = 128_000, answer, listing = {}, models = MODELS, apiKey, piece = 16 } = input
  const requests: UpstreamRequest[] = []
  const paths: string[] = []
  const bodies: string[] = []
  const faults: Fault[] = []
  let overflows = 0
  const missed: string[] = []
  /** By the id of the first call that it led to. */
  const thought = new Map<string | undefined, string>()
  let reasoningBack = 0
  let aborted = 0
  let goOn = () => {}
  let calls = 0

  const chat = async (request: IncomingMessage, response: ServerResponse, text: string): Promise<void> => {
    const body = JSON.parse(text) as UpstreamBody
    const promptTokens = countMessages(tokens, body.messages ?? []) + tokens.countTools(body.tools ?? [])
    requests.push({ path: request.url ?? '', headers: request.headers, body, promptTokens })
    const fault = faults.shift()
    if (fault?.type === 'status') {
      response
        .writeHead(fault.status, { 'content-type': 'application/json', ...fault.headers })
        .end(fault.body)
      return
    }
    if (fault?.type === 'stall' && fault.at === 'start') return
    if (apiKey !== undefined && request.headers.authorization !== `Bearer ${apiKey}`)
      return refuse(response, 401, 'invalid_api_key', 'Incorrect API key provided')
    if (!models.includes(body.model))
      return refuse(response, 404, 'model_not_found', `The model \`${body.model}\` does not exist`)
    const broken = sequenceFault(body)
    if (broken !== undefined) return refuse(response, 400, null, broken)
    for (const [index, message] of body.messages.entries()) {
      const known = message.role === 'assistant' ? thought.get(message.tool_calls?.[0]?.id) : undefined
      if (known === undefined) continue
      if (looseOf(message).reasoning_content !== known) {
        const why = `thinking is enabled but reasoning_content is missing in assistant tool call message at index ${index}`
        missed.push(why)
        return refuse(response, 400, null, why)
      }
      reasoningBack++
    }
    if (promptTokens + (body.max_tokens ?? 0) > window) {
      overflows++
      const message = `This model's maximum context length is ${window} tokens. However, your messages resulted in ${promptTokens} tokens.`
      return refuse(response, 400, 'context_length_exceeded', message)
    }
    const reply = await answer(body)
    const message = {
      role: 'assistant',
      content: reply.content ?? null,
      refusal: null,
      annotations: [],
      ...(reply.reasoning !== undefined && { reasoning_content: reply.reasoning }),
      ...(reply.calls && {
        tool_calls: reply.calls.map(({ name, arguments: args }) => ({
          id: `call_${++calls}`,
          type: 'function' as const,
          function: { name, arguments: JSON.stringify(args) },
        })),
      }),
    }
    if (reply.reasoning !== undefined && message.tool_calls)
      thought.set(message.tool_calls[0]?.id, reply.reasoning)
    const completionTokens = tokens.countMessage(message as Message)
    const usage = {
      prompt_tokens: promptTokens,
      completion_tokens: completionTokens,
      total_tokens: promptTokens + completionTokens,
      prompt_tokens_details: { cached_tokens: 0 },
    }
    const finish = reply.calls ? 'tool_calls' : 'stop'
    const base = {
      id: `chatcmpl-${requests.length}`,
      created: 1_700_000_000 + requests.length,
      model: body.model,
    }
    if (body.stream !== true) {
      const choices = Array.from({ length: body.n ?? 1 }, (_, index) => ({
        index,
        message,
        logprobs: null,
        finish_reason: finish,
      }))
      const completion = { ...base, object: 'chat.completion', choices, usage, system_fingerprint: 'fp_mock' }
      response.writeHead(200, { 'content-type': 'application/json', 'x-request-id': base.id })
      response.end(JSON.stringify(completion))
      return
    }
    response.writeHead(200, { 'content-type': 'text/event-stream', 'x-request-id': base.id })
    const asksUsage = body.stream_options?.include_usage === true
    const chunk = (delta: object, finish_reason: string | null = null) => {
      const choices = [{ index: 0, delta, logprobs: null, finish_reason }]
      const frame = { ...base, object: 'chat.completion.chunk', choices, ...(asksUsage && { usage: null }) }
      response.write(`data: ${JSON.stringify(frame)}\n\n`)
    }
    response.write(': keep-alive\n\n')
    chunk({ role: 'assistant', content: '', refusal: null })
    for (const reasoning_content of pieces(reply.reasoning ?? '', piece)) chunk({ reasoning_content })
    for (const content of pieces(reply.content ?? '', piece)) chunk({ content })
    if (fault !== undefined) return failInTheMiddle(fault, response)
    for (const [index, call] of (message.tool_calls ?? []).entries()) {
      chunk({ tool_calls: [{ index, ...call, function: { name: call.function.name, arguments: '' } }] })
      for (const text of pieces(call.function.arguments, piece))
        chunk({ tool_calls: [{ index, function: { arguments: text } }] })
    }
    chunk({}, finish)
    if (asksUsage) {
      const frame = { ...base, object: 'chat.completion.chunk', choices: [], usage }
      response.write(`data: ${JSON.stringify(frame)}\n\n`)
    }
    response.end('data: [DONE]\n\n')
  }

  const read = withBody((request, response, text) => {
    bodies.push(text)
    const path = request.url?.split('?')[0]
    if (path === '/v1/chat/completions') {
      chat(request, response, text).catch((error) => response.writeHead(599).end(String(error)))
      return
    }
    if (apiKey !== undefined && request.headers.authorization !== `Bearer ${apiKey}`)
      return refuse(response, 401, 'invalid_api_key', 'Incorrect API key provided')
    if (path === '/v1/completions') {
      response.write('one, ')
      goOn = () => response.end('two')
      return
    }
    const known = path === '/v1/models' || path === '/v1/embeddings'
    const data = path === '/v1/models' ? models.map((id) => ({ id, object: 'model', ...listing })) : []
    if (!known) return refuse(response, 404, 'not_found', 'Not Found')
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ object: 'list', data, received: text === '' ? null : JSON.parse(text) }))
  })
  const server = createServer((request, response) => {
    paths.push(request.url ?? '')
    response.on('close', () => {
      if (!response.writableFinished) aborted++
    })
    read(request, response)
  })
  const address = await listenForTest(server)
  return {
    baseUrl: `${address}/v1`,
    requests,
    paths,
    bodies,
    missed,
    get reasoningBack() {
      return reasoningBack
    },
    get overflows() {
      return overflows
    },
    get aborted() {
      return aborted
    },
    failNext: (fault) => {
      faults.push(fault)
    },
    goOn: () => goOn(),
  }
}

function failInTheMiddle({ type }: Fault, response: ServerResponse): void {
  // When what was written before has left.
  if (type === 'disconnect') response.write(': going\n\n', () => setImmediate(() => response.destroy()))
  if (type === 'end') response.end()
  if (type === 'error-event')
    response.end(`data: ${JSON.stringify({ error: { message: 'the GPU fell over', code: 'boom' } })}\n\n`)
}

function refuse(response: ServerResponse, status: number, code: string | null, message: string): void {
  const error = { message, type: 'invalid_request_error', param: null, code }
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ error }))
}
