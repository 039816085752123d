import { expect, it } from 'vitest'
import { gatewaySummaries } from '../../src/serve/gateway/open-gateway.ts'

const KEY = 'key-of-the-service'
const upstream = { baseUrl: 'http://127.0.0.1:9/v1', apiKey: undefined }
const OWN = { provider: 'gemini', model: 'gemini-x', apiKey: 'k' } as const

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
  const OFFLINE = 'Summaries in the gateway: no model writes them; they quote the conversation'
  expect(await say({})).toEqual([OFFLINE])
  expect(await say({}, { upstream: { ...upstream, apiKey: KEY } })).toEqual([
    'Summaries in the gateway: the model of each request, with the key of PALIMPSEST_UPSTREAM_KEY',
  ])
  expect(await say({ model: 'small' }, { upstream: { ...upstream, apiKey: KEY } })).toEqual([
    'Summaries in the gateway: openai:small at http://127.0.0.1:9 (auxiliary.compression)',
  ])
  expect(await say({}, { own: OWN })).toEqual([
    "Summaries in the gateway: gemini:gemini-x (the service's own model)",
  ])
  expect(await say({ provider: 'main' }, { own: OWN })).toEqual([
    OFFLINE,
    expect.stringMatching(/provider is main, and PALIMPSEST_UPSTREAM_KEY is not set.*offline/),
  ])
})
