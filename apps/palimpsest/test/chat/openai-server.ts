import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { listenForTest } from '../mock-server.ts'

/** What a server answers to one request: pieces of an answer, and how the stream ends. */
export interface StreamedAnswer {
  readonly deltas: readonly object[]
  /**
   * `cut`: the connection breaks in the middle. `hang`: nothing comes any more. `no-key`: 401. `filter`: a filter stops it.
   * `page`: a web page. Default: it ends well.
   */
  readonly end?: 'cut' | 'hang' | 'no-key' | 'filter' | 'page'
}

export interface OpenAiServer {
  /** What a client is pointed at. */
  readonly baseUrl: string
  /** The bodies of all requests. */
  readonly requests: { readonly messages: { readonly role: string; readonly content?: unknown }[] }[]
  /** How many clients went away before their answer ended. */
  readonly left: () => number
}

/** A server that streams Chat Completions as OpenAI does. */
export async function startOpenAiServer(...answers: readonly StreamedAnswer[]): Promise<OpenAiServer> {
  const requests: OpenAiServer['requests'] = []
  let left = 0
  const server = createServer(async (request, response) => {
    const answer = answers[requests.length] ?? { deltas: [{ content: 'no more answers' }] }
    requests.push(await readJson(request))
    response.on('close', () => {
      if (!response.writableFinished) left++
    })
    stream(response, answer)
  })
  return { baseUrl: `${await listenForTest(server)}/v1`, requests, left: () => left }
}

function stream(response: ServerResponse, { deltas, end }: StreamedAnswer): void {
  const send = (chunk: object) => response.write(`data: ${JSON.stringify({ ...HEAD, ...chunk })}\n\n`)
  if (end === 'no-key') {
    response.writeHead(401, { 'content-type': 'application/json' })
    response.end('{"error":{"message":"Incorrect API key provided","code":"invalid_api_key"}}')
    return
  }
  if (end === 'page') {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<html><title>Login</title></html>')
    return
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  for (const delta of deltas) send({ choices: [{ index: 0, delta, finish_reason: null }] })
  if (end === 'hang') return
  if (end === 'cut') {
    setTimeout(() => response.destroy(), 20)
    return
  }
  const whole = deltas.some((delta) => 'tool_calls' in delta) ? 'tool_calls' : 'stop'
  send({ choices: [{ index: 0, delta: {}, finish_reason: end === 'filter' ? 'content_filter' : whole }] })
  send({ choices: [], usage: { prompt_tokens: 900, completion_tokens: 20, total_tokens: 920 } })
  response.end('data: [DONE]\n\n')
}

const HEAD = { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: 'test-model' }

async function readJson(request: IncomingMessage): Promise<OpenAiServer['requests'][number]> {
  let text = ''
  for await (const chunk of request.setEncoding('utf8')) text += chunk
  return JSON.parse(text)
}
