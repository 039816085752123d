import { createServer, type IncomingMessage } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { listenForTest } from '../mock-server.ts'

export interface GeminiRequest {
  /** The name of the model. */
  readonly model: string
  readonly key: unknown
  readonly contents: readonly {
    readonly role: string
    readonly parts: readonly { readonly text?: string }[]
  }[]
}

interface FakeGemini {
  readonly baseUrl: string
  readonly requests: readonly GeminiRequest[]
}

interface FakeGeminiOptions {
  /** Milliseconds until an answer goes out. Default 0. */
  readonly delay?: () => number
  /** Called when an answer is on its way. */
  readonly onAnswered?: () => void
}

/** The Gemini API on this machine: repeats what it was asked last, and counts tokens. */
export async function startFakeGemini({
  delay = () => 0,
  onAnswered = () => {},
}: FakeGeminiOptions = {}): Promise<FakeGemini> {
  const requests: GeminiRequest[] = []
  const server = createServer(async (request, response) => {
    const body = JSON.parse(await bodyOf(request))
    const model = /models\/([^:]+):/.exec(request.url ?? '')?.[1] ?? ''
    requests.push({ model, key: request.headers['x-goog-api-key'], contents: body.contents })
    await wait(delay())
    const last = body.contents.at(-1)?.parts.at(-1)?.text ?? ''
    const answer = {
      candidates: [
        { content: { role: 'model', parts: [{ text: `re: ${last.slice(0, 200)}` }] }, finishReason: 'STOP' },
      ],
      usageMetadata: {
        promptTokenCount: 1_000,
        cachedContentTokenCount: 600,
        candidatesTokenCount: 50,
        thoughtsTokenCount: 30,
      },
    }
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer), onAnswered)
  })
  return { baseUrl: await listenForTest(server), requests }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request.setEncoding('utf8')) text += chunk
  return text
}
