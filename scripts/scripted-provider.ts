import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A request of Chat Completions, as far as the tests look at it. */
export interface ChatRequest {
  readonly stream?: boolean
  readonly messages: readonly ChatMessage[]
  readonly tools?: readonly { readonly function: { readonly name: string } }[]
}
export interface ChatMessage {
  readonly role: string
  readonly content?: unknown
  readonly reasoning_content?: string
  readonly tool_call_id?: string
  readonly tool_calls?: readonly { readonly id: string; readonly function: { readonly name: string } }[]
}

/** An answer of the model: a text, calls, or the refusal of the provider. */
export type Answer =
  | string
  | { readonly calls: readonly { readonly name: string; readonly args: object }[]; readonly thought?: string }
  | { readonly status: number; readonly message: string }

/** Tokens of a prompt with its tools, at four characters each. */
export function promptTokens({ messages, tools }: ChatRequest): number {
  return Math.ceil(JSON.stringify([messages, tools]).length / 4)
}

/** A provider on loopback that answers what it is told to, streamed and whole. `index` counts its requests. */
export async function scriptedProvider(answer: (request: ChatRequest, index: number) => Answer) {
  const requests: ChatRequest[] = []
  const server = createServer(async (incoming, outgoing) => {
    const body = Buffer.concat(await incoming.toArray()).toString('utf8')
    const request: ChatRequest = JSON.parse(body)
    const index = requests.push(request) - 1
    const said = answer(request, index)
    if (typeof said === 'object' && 'status' in said) {
      outgoing.writeHead(said.status, { 'content-type': 'application/json' })
      outgoing.end(JSON.stringify({ error: { message: said.message, type: 'invalid_request_error' } }))
      return
    }
    const calls = typeof said === 'string' ? [] : said.calls
    const toolCalls = calls.map(({ name, args }, at) => ({
      ...{ index: at, id: `call-${index}-${at}`, type: 'function' },
      function: { name, arguments: JSON.stringify(args) },
    }))
    const content = typeof said === 'string' ? said : null
    const thought = typeof said === 'object' && said.thought !== undefined ? said.thought : undefined
    const message = {
      role: 'assistant',
      content,
      reasoning_content: thought,
      ...(calls.length > 0 && { tool_calls: toolCalls }),
    }
    const finish_reason = calls.length > 0 ? 'tool_calls' : 'stop'
    const prompt_tokens = promptTokens(request)
    const usage = { prompt_tokens, completion_tokens: 10, total_tokens: prompt_tokens + 10 }
    const base = { id: `chat-${index}`, created: 1, model: 'scripted' }
    if (request.stream !== true) {
      outgoing.setHeader('content-type', 'application/json')
      outgoing.end(JSON.stringify({ ...base, choices: [{ index: 0, message, finish_reason }], usage }))
      return
    }
    outgoing.setHeader('content-type', 'text/event-stream')
    for (const chunk of [
      { choices: [{ index: 0, delta: message }] },
      { choices: [{ index: 0, delta: {}, finish_reason }] },
      { choices: [], usage },
    ])
      outgoing.write(`data: ${JSON.stringify({ ...base, object: 'chat.completion.chunk', ...chunk })}\n\n`)
    outgoing.end('data: [DONE]\n\n')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    requests,
    baseUrl: `http://127.0.0.1:${port}/v1`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
