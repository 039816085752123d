import { expect, it } from 'vitest'
import { loadConfiguration } from '../../src/engines/configuration.ts'
import { answerCaching, answerCachingLine } from '../../src/serve/answer-caching.ts'
import { temporaryFolder } from './temporary-folder.ts'

const GEMINI = 'gemini:gemini-3-flash-preview'
const PLACE = 'Prompt caching: automatic for gemini-3-flash-preview at Gemini'

it.each([
  ['5m', GEMINI, `${PLACE}; nothing to mark`],
  ['1h', GEMINI, `${PLACE}; nothing to mark, prompt_caching.cache_ttl: 1h has no effect`],
  ['off', GEMINI, `${PLACE}; prompt_caching.cache_ttl: off cannot switch that off`],
  ['5m', undefined, 'Prompt caching: nothing to cache, no model answers'],
] as const)('says what is true of caching with %s and the model %s', async (cache_ttl, model, line) => {
  const { config } = await loadConfiguration(undefined, await temporaryFolder())
  const caching = answerCaching(model, { prompt_caching: { ...config.prompt_caching, cache_ttl } })
  expect(answerCachingLine(caching)).toBe(line)
})
