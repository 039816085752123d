import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { errorText, type Message, type ToolSchema } from '@palimpsest/core'
import { type ScriptedAnswer, STALL, scriptedAnswer } from './script.ts'

export interface ReportedUsage {
  readonly promptTokens: number
  readonly completionTokens: number
}

export interface SuiteRequest {
  readonly messages: readonly Message[]
  readonly tools: readonly ToolSchema[]
  readonly body: Readonly<Record<string, unknown>>
  readonly promptTokens: number
  readonly outcome: 'answered' | 'refused' | 'stalled'
  readonly usage?: ReportedUsage
  readonly closed: Promise<void>
}

/** A provider on loopback with Chat Completions, streamed and whole, which plays the suite's script. */
export type SuiteProvider = Awaited<ReturnType<typeof startSuiteProvider>>

interface ChatBody extends Readonly<Record<string, unknown>> {
  readonly messages: readonly Message[]
  readonly tools?: readonly ToolSchema[]
  readonly stream?: boolean
  readonly stream_options?: { readonly include_usage?: boolean } | null
}

const MODEL = 'suite-model'
const PIECE = 64

export async function startSuiteProvider(windowTokens: number) {
  const requests: SuiteRequest[] = []
  const waiting = Promise.withResolvers<SuiteRequest>()

  const chat = (body: ChatBody, response: ServerResponse): void => {
    const { messages, tools = [] } = body
    const promptTokens = tokensOf([messages, tools])
    const closed = once(response, 'close').then(() => {})
    const note = (rest: Pick<SuiteRequest, 'outcome' | 'usage'>): SuiteRequest => {
      const request = { messages, tools, body, promptTokens, closed, ...rest }
      requests.push(request)
      return request
    }
    if (promptTokens > provider.windowTokens) {
      note({ outcome: 'refused' })
      refuse(response, overflowError(provider.windowTokens, promptTokens))
      return
    }
    const message = scriptedAnswer(messages)
    if (message === STALL) {
      waiting.resolve(note({ outcome: 'stalled' }))
      return
    }
    const usage = { promptTokens, completionTokens: tokensOf(message) }
    note({ outcome: 'answered', usage })
    const answer = { id: `chatcmpl-${requests.length}`, message, usage }
    if (body.stream === true) stream(response, answer, body.stream_options?.include_usage === true)
    else send(response, 200, completion(answer))
  }

  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => {
      refuse(response, { message: errorText(error), code: null })
    })
  })
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = request.url?.split('?')[0]
    if (path === '/v1/models')
      return send(response, 200, { object: 'list', data: [{ id: MODEL, object: 'model' }] })
    if (path !== '/v1/chat/completions')
      return send(response, 404, { error: { message: `there is no ${path}` } })
    chat(JSON.parse(await text(request)) as ChatBody, response)
  }

  await once(server.listen(0, '127.0.0.1'), 'listening')
  const provider = {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    apiKey: 'suite-key',
    model: MODEL,
    requests: requests as readonly SuiteRequest[],
    windowTokens,
    stalled: () => waiting.promise,
    async close(): Promise<void> {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return provider
}

function tokensOf(value: unknown): number {
  return Math.ceil(JSON.stringify(value).length / 4)
}

interface Answer {
  readonly id: string
  readonly message: ScriptedAnswer
  readonly usage: ReportedUsage
}

const BASE = { created: 1_700_000_000, model: MODEL } as const
const finishOf = ({ tool_calls: calls }: ScriptedAnswer) => (calls === undefined ? 'stop' : 'tool_calls')
const wireUsage = ({ promptTokens, completionTokens }: ReportedUsage) => ({
  prompt_tokens: promptTokens,
  completion_tokens: completionTokens,
  total_tokens: promptTokens + completionTokens,
})

function completion({ id, message, usage }: Answer): object {
  const choice = {
    index: 0,
    message: { refusal: null, ...message },
    logprobs: null,
    finish_reason: finishOf(message),
  }
  return { id, object: 'chat.completion', ...BASE, choices: [choice], usage: wireUsage(usage) }
}

/** Usage is sent only if it is asked for, as at OpenAI. */
function stream(response: ServerResponse, { id, message, usage }: Answer, withUsage: boolean): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  const write = (frame: object) =>
    response.write(`data: ${JSON.stringify({ id, object: 'chat.completion.chunk', ...BASE, ...frame })}\n\n`)
  const chunk = (delta: object, finish_reason: string | null = null) =>
    write({
      choices: [{ index: 0, delta, logprobs: null, finish_reason }],
      ...(withUsage && { usage: null }),
    })
  chunk({ role: 'assistant', content: message.content === null ? null : '' })
  for (const piece of pieces(message.reasoning)) chunk({ reasoning: piece })
  for (const piece of pieces(message.content ?? '')) chunk({ content: piece })
  for (const [index, call] of (message.tool_calls ?? []).entries()) {
    if (call.type !== 'function') continue
    const { name, arguments: args } = call.function
    chunk({ tool_calls: [{ index, id: call.id, type: 'function', function: { name, arguments: '' } }] })
    for (const piece of pieces(args)) chunk({ tool_calls: [{ index, function: { arguments: piece } }] })
  }
  chunk({}, finishOf(message))
  if (withUsage) write({ choices: [], usage: wireUsage(usage) })
  response.end('data: [DONE]\n\n')
}

function pieces(whole: string): string[] {
  return whole.match(new RegExp(`.{1,${PIECE}}`, 'gs')) ?? []
}

function overflowError(window: number, tokens: number) {
  const message = `This model's maximum context length is ${window} tokens. However, your messages resulted in ${tokens} tokens. Please reduce the length of the messages.`
  return { message, code: 'context_length_exceeded' }
}

function refuse(
  response: ServerResponse,
  error: { readonly message: string; readonly code: string | null },
): void {
  send(response, 400, { error: { type: 'invalid_request_error', param: 'messages', ...error } })
}

function send(response: ServerResponse, status: number, value: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
}
