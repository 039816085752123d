import OpenAI from 'openai'
import { expect, it } from 'vitest'
import { gatewaySummaries } from '../../src/serve/gateway/open-gateway.ts'
import { startTestService } from '../serve/test-service.ts'
import { startMockUpstream } from './mock-upstream.ts'

const KEY = 'key-of-the-service'
const upstream = { baseUrl: 'http://127.0.0.1:9/v1', apiKey: undefined }
const OWN = { provider: 'gemini', model: 'gemini-x', apiKey: 'k' } as const

it('has summaries written by the model of the request, with the key of the service', async () => {
  const server = await startMockUpstream({
    apiKey: KEY,
    answer: ({ messages }) => ({ content: messages?.length === 2 ? '## Goal\n- FAKE-SUMMARY.' : 'Yes.' }),
  })
  const service = await startTestService({ upstream: server.baseUrl, upstreamKey: KEY, window: 12_000 })
  const openai = new OpenAI({ baseURL: `${service.url}/v1`, apiKey: 'key-of-a-client', maxRetries: 0 })
  const messages: { role: 'system' | 'user' | 'assistant'; content: string }[] = [
    { role: 'system', content: 'Be brief.' },
  ]
  for (let turn = 0; turn < 9; turn++) {
    messages.push({ role: 'user', content: `${turn} ${'The store keeps sessions. '.repeat(160)}` })
    const { choices } = await openai.chat.completions.create({ model: 'mock-small', messages })
    messages.push({ role: 'assistant', content: choices[0]?.message.content ?? '' })
  }
  expect(JSON.stringify(server.requests.at(-1)?.body)).toContain('FAKE-SUMMARY')
  expect(server.requests.every(({ body }) => body.model === 'mock-small')).toBe(true)
})

it('says who writes them, and which key is missing', async () => {
  const environment = {}
  const say = async (block: object, given: object = {}) => {
    const found = await gatewaySummaries({
      block,
      upstream,
      own: undefined,
      environment,
      ...given,
    })
    return [found?.line, ...(found?.notices ?? [])]
  }
  const OFFLINE = 'Summaries in the gateway: offline: extracted from the transcript, without a model'
  expect(await say({})).toEqual([OFFLINE])
  expect(await say({}, { upstream: { ...upstream, apiKey: KEY } })).toEqual([
    'Summaries in the gateway: the model of each request, with the key of PALIMPSEST_UPSTREAM_KEY',
  ])
  expect(await say({ model: 'small' }, { upstream: { ...upstream, apiKey: KEY } })).toEqual([
    'Summaries in the gateway: openai:small (auxiliary.compression)',
  ])
  expect(await say({}, { own: OWN })).toEqual([
    'Summaries in the gateway: gemini:gemini-x (the model that answers)',
  ])
  expect(await say({ provider: 'main' }, { own: OWN })).toEqual([
    OFFLINE,
    expect.stringMatching(/provider is main, and PALIMPSEST_UPSTREAM_KEY is not set.*offline/),
  ])
})
