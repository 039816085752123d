import Anthropic from '@anthropic-ai/sdk'
import type { SessionView } from '@palimpsest/inspector'
import { findPricing } from '@palimpsest/prompt-caching'
import OpenAI from 'openai'
import { expect, test } from 'vitest'
import { startTestService, type TestService } from '../serve/test-service.ts'
import { startMockAnthropic } from './mock-anthropic.ts'
import { startMockResponses } from './mock-responses.ts'

const LONG = 'word '.repeat(3_000)

const QUERY = { query: 'word' }

/** The first answer looks something up, the second one is for the client. */
function lookingUp<Call extends object>(call: Call) {
  let asked = 0
  return (): { readonly text: string; readonly calls?: readonly (Call & { readonly name: string })[] } =>
    asked++ === 0 ? { text: 'Let me look.', calls: [{ name: 'lcm_grep', ...call }] } : { text: 'Found.' }
}

async function getJson(url: string) {
  // biome-ignore lint/suspicious/noExplicitAny: what comes is what the test is about.
  return (await fetch(url)).json() as Promise<any>
}

async function onlyView({ url }: TestService): Promise<SessionView> {
  const { sessions } = await getJson(`${url}/api/sessions`)
  expect(sessions).toHaveLength(1)
  return (await getJson(`${url}/api/sessions/${sessions[0].id}`)).view
}

const serve = (upstream: string) => startTestService({ engine: 'lcm', upstream, models: {} })

test.each([
  ['whole', false],
  ['streamed', true],
] as const)('the page’s bill is that of what was sent to the Messages API, %s', async (_, isStream) => {
  const cache = [
    { read: 0, write5m: 1_000, write1h: 500 },
    { read: 1_500, write5m: 200 },
  ]
  const upstream = await startMockAnthropic({
    answer: lookingUp({ input: QUERY }),
    cached: (request) => cache[request] ?? { read: 0, write5m: 0 },
  })
  const service = await serve(upstream.baseUrl)
  const client = new Anthropic({ baseURL: service.url, apiKey: 'key' })
  const body = {
    model: 'claude-sonnet-5-5',
    max_tokens: 1_000,
    messages: [{ role: 'user' as const, content: LONG }],
  }
  const answer = isStream
    ? await client.messages.stream(body).finalMessage()
    : await client.messages.create(body)
  expect(upstream.requests).toHaveLength(2)
  const [first = 0, second = 0] = upstream.requests.map(({ promptTokens }) => promptTokens)
  // The client hears how full the context is now.
  const { usage } = answer
  expect(usage).toMatchObject({ input_tokens: second - 1_700, cache_read_input_tokens: 1_500 })
  const { bill, requests } = await onlyView(service)
  const uncached = first - 1_500 + (second - 1_700)
  const prompts = uncached + 1.25 * 1_200 + 2 * 500 + 0.05 * 1_500
  expect(bill?.reported?.prompts).toBeCloseTo((2 * prompts) / 1_000_000, 9)
  // Both answers were paid for, and the client saw the second one's usage.
  const { answers = 0 } = bill?.reported ?? {}
  expect(answers).toBeGreaterThan((10 * usage.output_tokens) / 1_000_000)
  expect(requests.map(({ cache: seen }) => seen)).toMatchObject([
    { read: 0, written: 1_500, uncached: first - 1_500 },
    { read: 1_500, written: 200, uncached: second - 1_700 },
  ])
})

test.each([
  ['whole', false],
  ['streamed', true],
] as const)('the page’s bill is that of what was sent to the Responses API, %s', async (_, isStream) => {
  const upstream = await startMockResponses({ answer: lookingUp({ arguments: QUERY }), cached: 1_024 })
  const service = await serve(upstream.baseUrl)
  const client = new OpenAI({ baseURL: `${service.url}/v1`, apiKey: 'key' })
  const body = { model: 'gpt-5', store: false, input: [{ role: 'user' as const, content: LONG }] }
  const { usage } = isStream
    ? await client.responses.stream(body).finalResponse()
    : await client.responses.create(body)
  const prompts = upstream.requests.map(({ promptTokens }) => promptTokens)
  expect(prompts).toHaveLength(2)
  expect(usage).toMatchObject({ input_tokens: prompts[1], input_tokens_details: { cached_tokens: 1_024 } })
  const { input, output, read } = findPricing({ model: 'gpt-5' })
  const { bill } = await onlyView(service)
  const sent = prompts.reduce((sum, tokens) => sum + (tokens - 1_024 + 1_024 * read) * input, 0)
  expect(bill?.reported?.prompts).toBeCloseTo(sent / 1_000_000, 9)
  expect(bill?.reported?.answers).toBeGreaterThan((output * (usage?.output_tokens ?? 0)) / 1_000_000)
})
