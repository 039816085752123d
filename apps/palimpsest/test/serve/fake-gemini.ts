import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { onTestFinished } from 'vitest'

export interface GeminiRequest {
  /** The name of the model. */
  readonly model: string
  readonly key: unknown
  readonly contents: readonly {
    readonly role: string
    readonly parts: readonly { readonly text?: string }[]
  }[]
}

export interface FakeGemini {
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
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request.setEncoding('utf8')) text += chunk
  return text
}
