import { expect, it } from 'vitest'
import { loadConfiguration } from '../../src/engines/configuration.ts'
import { answerCaching, answerCachingLine, gatewayCachingLine } from '../../src/serve/answer-caching.ts'
import { temporaryFolder } from './temporary-folder.ts'

const GEMINI = { model: 'gemini-3-flash-preview', provider: 'gemini' }
const CLAUDE = { model: 'anthropic/claude-sonnet-4.5', provider: 'openrouter' }
const PLACE = 'Prompt caching: automatic for gemini-3-flash-preview at Gemini'

it.each([
  ['5m', GEMINI, `${PLACE}; nothing to mark`],
  ['1h', GEMINI, `${PLACE}; nothing to mark, prompt_caching.cache_ttl: 1h has no effect`],
  ['off', GEMINI, `${PLACE}; prompt_caching.cache_ttl: off cannot switch that off`],
  ['5m', CLAUDE, 'Prompt caching: left to OpenRouter, the service sends it no breakpoints'],
  ['5m', undefined, 'Prompt caching: nothing to cache, no model answers'],
] as const)('says what is true of caching with %s and the model %j', async (cache_ttl, where, line) => {
  const { config } = await loadConfiguration(undefined, await temporaryFolder())
  const caching = answerCaching(where, { prompt_caching: { ...config.prompt_caching, cache_ttl } })
  expect(answerCachingLine(caching)).toBe(line)
})

const OPENROUTER = 'https://openrouter.ai/api/v1'
const LOCAL = 'http://127.0.0.1:4000/v1'

it.each([
  [OPENROUTER, {}, 'sticky for Claude and Kimi at OpenRouter, where a client sets no breakpoints itself'],
  [
    LOCAL,
    { route: 'litellm', strategy: 'system_and_3' },
    'system_and_3 for Claude at LiteLLM, where a client sets no breakpoints itself',
  ],
  [
    OPENROUTER,
    { cache_ttl: 'off' },
    'off (switched off by prompt_caching.cache_ttl); breakpoints of clients are passed on',
  ],
  [LOCAL, {}, 'no breakpoints are added at 127.0.0.1; those of clients are passed on'],
  ['https://api.openai.com/v1', {}, 'no breakpoints are added at OpenAI; those of clients are passed on'],
] as const)('says what the gateway does in front of %s with %o', async (baseUrl, settings, line) => {
  const { config } = await loadConfiguration(undefined, await temporaryFolder())
  const said = gatewayCachingLine(baseUrl, { prompt_caching: { ...config.prompt_caching, ...settings } })
  expect(said).toBe(`Prompt caching in the gateway: ${line}`)
})
