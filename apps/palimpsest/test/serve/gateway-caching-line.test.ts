import { expect, it } from 'vitest'
import { loadConfiguration } from '../../src/engines/configuration.ts'
import { gatewayCachingLine } from '../../src/serve/gateway/gateway-summaries.ts'
import { temporaryFolder } from './temporary-folder.ts'

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
