import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import type { Message, ToolSchema } from '@palimpsest/core'
import { onTestFinished } from 'vitest'
import { chunk, sseText } from '../../../openai/test/support/fake-openai.ts'

export interface ProviderRequest {
  readonly messages: readonly Message[]
  readonly tools?: readonly ToolSchema[]
}

/** An answer; a refusal with status 400; nothing at all. */
export type Reply =
  | { readonly text: string }
  | { readonly call: string; readonly args: object }
  | { readonly error: string }
  | 'stall'

export interface ScriptedProvider {
  readonly baseUrl: string
  readonly apiKey: string
  readonly model: string
  /** Requests of the conversation. */
  readonly requests: ProviderRequest[]
  /** Requests without tools: for summaries. */
  readonly summaries: ProviderRequest[]
}

/** A record in sections, as engines ask for it. */
export const SUMMARY = '## Progress\nThey wrote notes about a ledger, which counts in cents.'

/** The size of a request, in tokens, as this provider counts: four characters are one. */
export function promptTokens({ messages, tools = [] }: ProviderRequest): number {
  return Math.ceil(JSON.stringify([messages, tools]).length / 4)
}

/** A server on loopback with streamed Chat Completions, until the test is over. */
export async function startProvider(
  answer: (request: ProviderRequest, index: number) => Reply,
  summarize: (request: ProviderRequest) => Reply = () => ({ text: SUMMARY }),
): Promise<ScriptedProvider> {
  const requests: ProviderRequest[] = []
  const summaries: ProviderRequest[] = []
  const server = createServer(async (incoming, response) => {
    const request = (await json(incoming)) as ProviderRequest
    const isSummary = request.tools === undefined || request.tools.length === 0
    const list = isSummary ? summaries : requests
    list.push(request)
    const reply = isSummary ? summarize(request) : answer(request, list.length - 1)
    if (reply !== 'stall') send(response, reply, promptTokens(request), list.length)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { baseUrl: `http://127.0.0.1:${port}/v1`, apiKey: 'k', model: 'scripted-1', requests, summaries }
}

function send(response: ServerResponse, reply: Exclude<Reply, 'stall'>, prompt: number, count: number): void {
  if ('error' in reply) {
    response.writeHead(400, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ error: { message: reply.error, type: 'invalid_request_error' } }))
    return
  }
  const delta =
    'text' in reply
      ? { role: 'assistant', content: reply.text }
      : {
          role: 'assistant',
          content: null,
          tool_calls: [
            {
              index: 0,
              id: `call_${count}`,
              type: 'function',
              function: { name: reply.call, arguments: JSON.stringify(reply.args) },
            },
          ],
        }
  const usage = { prompt_tokens: prompt, completion_tokens: 20, total_tokens: prompt + 20 }
  const last = { ...chunk({}), choices: [], usage }
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.end(
    `${sseText([chunk(delta), chunk({}, 'text' in reply ? 'stop' : 'tool_calls'), last])}data: [DONE]\n\n`,
  )
}
