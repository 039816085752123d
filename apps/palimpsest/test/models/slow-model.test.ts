import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { loopback } from '../../../../packages/provider-utils/test/support/loopback.ts'
import { openSummaryModel } from '../../src/models/find-summary-model.ts'
import type { ModelAccess } from '../../src/models/model-access.ts'

type Provider = ModelAccess['provider']

/** Milliseconds: what `fetch` waits for in these tests, of which it makes a second, and what a server takes. */
const LIMIT_OF_FETCH = 100
const SLOW = 2_000

const CONNECTIONS = Symbol.for('undici.globalDispatcher.1')
let connections: { close(): Promise<void> }

beforeAll(async () => {
  await fetch('data:,')
  connections = Reflect.get(globalThis, CONNECTIONS)
  const limits = { headersTimeout: LIMIT_OF_FETCH, bodyTimeout: LIMIT_OF_FETCH }
  Reflect.set(globalThis, CONNECTIONS, Reflect.construct(connections.constructor, [limits]))
})
afterAll(async () => {
  const limited: typeof connections = Reflect.get(globalThis, CONNECTIONS)
  Reflect.set(globalThis, CONNECTIONS, connections)
  await limited.close()
})

const text = 'A summary.'
const events = (...all: { readonly type: string }[]) =>
  all.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('')
const usage = { input_tokens: 1, output_tokens: 1 }
const message = { id: 'm', type: 'message', role: 'assistant', model: 'm', content: [], usage }

/** Answers as the providers word them. */
const ANSWERS = {
  custom: JSON.stringify({ choices: [{ message: { content: text }, finish_reason: 'stop' }] }),
  gemini: JSON.stringify({
    candidates: [{ content: { role: 'model', parts: [{ text }] }, finishReason: 'STOP' }],
  }),
  anthropic: events(
    { type: 'message_start', ...{ message } },
    { type: 'content_block_start', ...{ index: 0, content_block: { type: 'text', text: '' } } },
    { type: 'content_block_delta', ...{ index: 0, delta: { type: 'text_delta', text } } },
    { type: 'content_block_stop', ...{ index: 0 } },
    { type: 'message_delta', ...{ delta: { stop_reason: 'end_turn' }, usage } },
    { type: 'message_stop' },
  ),
} satisfies Partial<Record<Provider, string>>

/** A server that is slow at one place of its answer. */
const slowServer = (body: string, place: 'begin' | 'go on') =>
  loopback(async (_request, response) => {
    if (place === 'begin') await wait(SLOW)
    const type = body.startsWith('event:') ? 'text/event-stream' : 'application/json'
    response.writeHead(200, { 'content-type': type }).write(body.slice(0, 20))
    if (place === 'go on') await wait(SLOW)
    response.end(body.slice(20))
  })

async function summarise(provider: Provider, baseUrl: string, timeout: number) {
  const access = { provider, model: 'm', apiKey: 'key', baseUrl }
  const { model } = await openSummaryModel({ access, isMain: false, notices: [] }, { timeout })
  return model?.complete({ prompt: 'Sum it up.' })
}

/** A place of an answer, and the limit of `fetch` for it. */
const PLACES = [
  ['begin', 'UND_ERR_HEADERS_TIMEOUT'],
  ['go on', 'UND_ERR_BODY_TIMEOUT'],
] as const

it.concurrent.each(Object.entries(ANSWERS))(
  'a model that is slower than fetch is ended by auxiliary.compression.timeout alone: %s',
  async (name, body) => {
    const provider = name as Provider
    const tryAt = async ([place, code]: (typeof PLACES)[number]) => {
      await using server = await slowServer(body, place)
      const impatient = fetch(server.baseUrl).then((response) => response.text())
      const [summary] = await Promise.all([
        summarise(provider, server.baseUrl, 3_600),
        expect(impatient).rejects.toMatchObject({ cause: { code } }),
        expect(summarise(provider, server.baseUrl, 0.2)).rejects.toThrow(
          'm in time: auxiliary.compression.timeout is 0.2 s',
        ),
      ])
      expect(summary).toMatchObject({ text })
    }
    await Promise.all(PLACES.map(tryAt))
  },
)
