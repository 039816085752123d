import Anthropic from '@anthropic-ai/sdk'
import { createInspector } from '@palimpsest/inspector'
import { findPricing } from '@palimpsest/prompt-caching'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createMetrics } from '../../src/serve/metrics/create-metrics.ts'
import { isPing, MINUTE, PAUSES, pass, startCachingAnthropic } from './pinged-anthropic.ts'
import { MODEL } from './start-anthropic.ts'
import { startTestGateway, type TestGatewayOptions } from './test-gateway.ts'

const SYSTEM = `You are a careful engineer. ${'rule '.repeat(3_000)}`
const MARK = { type: 'ephemeral' } as const

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
})
afterEach(() => {
  vi.useRealTimers()
})

async function start(promptCaching: TestGatewayOptions['promptCaching'] = { keep_alive_usd: 1 }) {
  const upstream = await startCachingAnthropic()
  const gateway = await startTestGateway({
    ...{ baseUrl: upstream.baseUrl, engine: 'lcm', pauses: [...PAUSES], promptCaching },
    clock: { now: () => Date.now() },
  })
  const baseURL = gateway.baseUrl.replace(/\/v1$/, '')
  const client = new Anthropic({ baseURL, apiKey: 'key-of-a-client', maxRetries: 0 })
  const messages: Anthropic.MessageParam[] = []
  const ask = async (content: Anthropic.MessageParam['content'], more: object = {}) => {
    messages.push({ role: 'user', content })
    const body = { model: MODEL, max_tokens: 1_000, system: SYSTEM, messages: [...messages], ...more }
    const { content: said } = await client.messages.stream(body).finalMessage()
    messages.push({ role: 'assistant', content: said })
  }
  return { upstream, gateway, ask }
}

test('a prompt is sent again without an answer, as it was, before it lapses; the conversation knows nothing of it', async () => {
  const { upstream, gateway, ask } = await start()
  await ask('first')
  await pass(4 * MINUTE)
  expect(upstream.requests.filter(isPing)).toEqual([])
  await pass(MINUTE)
  await vi.waitFor(() => expect(upstream.requests.filter(isPing)).toHaveLength(1))
  const [asked, ping] = upstream.requests
  const { stream: _, ...body } = asked?.body ?? {}
  expect(ping?.body).toEqual({ ...body, max_tokens: 0 })
  const { 'content-length': __, ...headers } = asked?.headers ?? {}
  expect(ping?.headers).toMatchObject(headers)
  expect(JSON.stringify(headers)).toContain('key-of-a-client')
  expect(ping?.path).toBe(asked?.path)

  await ask('second')
  const after = upstream.requests.at(-1)
  expect(after?.body.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user'])
  expect(upstream.faults).toEqual([])
  expect(gateway.log).toEqual([])

  const [{ id = '' } = {}] = gateway.inspector.list()
  const view = await gateway.inspector.view(id)
  expect(view?.requests).toHaveLength(2)
  const { read, input } = findPricing({ model: MODEL })
  const tokens = ping?.promptTokens ?? 0
  expect(view?.bill?.pings?.count).toBe(1)
  expect(view?.bill?.pings?.usd).toBeCloseTo((tokens * read * input) / 1_000_000, 9)
})

test('a client that does not come back is waited for as long as it pays, and one that asks again begins anew', async () => {
  const { upstream, ask } = await start()
  await ask('first')
  await pass(4 * MINUTE)
  await ask('second')
  await pass(4 * MINUTE)
  expect(upstream.requests.filter(isPing)).toEqual([])
  await pass(20 * MINUTE)
  const sent = upstream.requests.filter(isPing).length
  expect(sent).toBeGreaterThan(0)
  expect(sent).toBeLessThan(4)
  await pass(120 * MINUTE)
  expect(upstream.requests.filter(isPing)).toHaveLength(sent)
})

test.each([
  ['without a budget', {}],
  ['with a budget that is used up', { keep_alive_usd: 0.000_001 }],
])('none are sent %s', async (_, settings) => {
  const { upstream, ask } = await start(settings)
  await ask('first')
  await pass(20 * MINUTE)
  expect(upstream.requests).toHaveLength(1)
})

test('none are sent once the gateway is closed', async () => {
  const { upstream, gateway, ask } = await start()
  await ask('first')
  await gateway.gateway.close(0)
  await pass(20 * MINUTE)
  expect(upstream.requests).toHaveLength(1)
})

test.each([
  ['five minutes', { cache_control: MARK }, 1],
  ['an hour', { cache_control: { ...MARK, ttl: '1h' } }, 0],
  ['less than the whole prompt', {}, 0],
] as const)('with breakpoints of the client for %s', async (_, mark, pings) => {
  const { upstream, ask } = await start()
  const system = [{ type: 'text', text: SYSTEM, cache_control: MARK }]
  await ask([{ type: 'text', text: 'first', ...mark }], { system })
  await pass(5 * MINUTE)
  await vi.waitFor(() => expect(upstream.requests.filter(isPing)).toHaveLength(pings))
  expect(upstream.requests.at(-1)?.body).toMatchObject({ system, messages: [{ content: [mark] }] })
})

test('none are sent for what cannot be asked without an answer', async () => {
  const { upstream, ask } = await start()
  await ask('first', { thinking: { type: 'enabled', budget_tokens: 500 } })
  await pass(20 * MINUTE)
  expect(upstream.requests).toHaveLength(1)
})

test('an upstream that refuses them is not asked again in this conversation', async () => {
  const { upstream, gateway, ask } = await start()
  await ask('first')
  upstream.failNext({ type: 'status', status: 400, kind: 'invalid_request_error', message: 'no room' })
  await pass(5 * MINUTE)
  await vi.waitFor(() =>
    expect(gateway.log).toEqual(['warning: a prompt is not kept in the cache: 400 no room']),
  )
  await ask('second')
  await pass(20 * MINUTE)
  expect(upstream.requests.filter(isPing)).toHaveLength(1)
  expect(gateway.log).toHaveLength(1)
})

test('they are counted in the metrics', async () => {
  const metrics = createMetrics()
  const usage = { promptTokens: 900, completionTokens: 0, totalTokens: 900, cacheReadTokens: 800 }
  metrics.count(createInspector()).pinged('gone', usage)
  const text = await metrics.text()
  expect(text).toContain('palimpsest_pings_total{source="gateway"} 1')
  expect(text).toContain('palimpsest_model_tokens_total{source="gateway",kind="cache_read"} 800')
})
