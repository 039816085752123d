import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { ChatOpenAI } from '@langchain/openai'
import type { Message, ToolSchema } from '@palimpsest/core'
import { onTestFinished } from 'vitest'

/** A request, as it came over the wire. */
export interface WireRequest {
  readonly messages: readonly Message[]
  readonly tools?: readonly ToolSchema[]
  readonly stream?: boolean
}

/** The model's answer: a text, also with a reason of its end, calls, or a refusal with an HTTP status. */
export type WireAnswer =
  | string
  | { readonly text: string; readonly finish: string }
  | { readonly calls: readonly (readonly [id: string, name: string, args: object])[] }
  | { readonly status: number; readonly message: string; readonly code?: string }

/** Four characters a token, as the provider counts. */
export function wireTokens({ messages, tools = [] }: WireRequest): number {
  return Math.ceil(JSON.stringify([messages, tools]).length / 4)
}

/** The calls of a tool with the id of each. */
export const call = (id: string, name: string, args: object): WireAnswer => ({ calls: [[id, name, args]] })

/** OpenAI's refusal of a prompt that is too long. */
export const tooLong = (window: number): WireAnswer => ({
  status: 400,
  code: 'context_length_exceeded',
  message: `This model's maximum context length is ${window} tokens. Please reduce the length of the messages.`,
})

/** LangChain's own client of OpenAI, and a service on loopback that answers it by a script. */
export async function scriptedModel(script: (request: WireRequest, index: number) => WireAnswer) {
  const requests: WireRequest[] = []
  const server = createServer(async (incoming, response) => {
    const request: WireRequest = JSON.parse(await text(incoming))
    const answer = script(request, requests.push(request) - 1)
    if (typeof answer !== 'string' && 'status' in answer) {
      response.writeHead(answer.status, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ error: { type: 'invalid_request_error', ...answer } }))
      return
    }
    const said = typeof answer === 'string' ? { text: answer, finish: 'stop' } : answer
    const message =
      'text' in said
        ? { role: 'assistant', content: said.text }
        : {
            ...{ role: 'assistant', content: null },
            tool_calls: said.calls.map(([id, name, args], index) => ({
              ...{ index, id, type: 'function' },
              function: { name, arguments: JSON.stringify(args) },
            })),
          }
    const finish_reason = 'text' in said ? said.finish : 'tool_calls'
    const prompt_tokens = wireTokens(request)
    const usage = { prompt_tokens, completion_tokens: 7, total_tokens: prompt_tokens + 7 }
    const base = { id: `chatcmpl-${requests.length}`, created: 1, model: 'scripted' }
    if (request.stream !== true) {
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ ...base, usage, choices: [{ index: 0, message, finish_reason }] }))
      return
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const write = (frame: object) => response.write(`data: ${JSON.stringify({ ...base, ...frame })}\n\n`)
    write({ choices: [{ index: 0, delta: message, finish_reason: null }] })
    write({ choices: [{ index: 0, delta: {}, finish_reason }] })
    write({ choices: [], usage })
    response.end('data: [DONE]\n\n')
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const model = new ChatOpenAI({
    model: 'scripted',
    apiKey: 'sk-scripted',
    maxRetries: 0,
    configuration: { baseURL: `http://127.0.0.1:${port}/v1` },
  })
  return { model, requests }
}
