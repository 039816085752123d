import { findPricing } from '@palimpsest/prompt-caching'
import { expect, it } from 'vitest'
import { settingNote } from '../../src/bill/replay-bill.ts'

const of = (model: string) => findPricing({ model })

it.each([
  ['claude-opus-5', '1h', 'sticky', null],
  ['claude-opus-5', 'off', 'sticky', null],
  ['claude-opus-5', '5m', 'system_and_3', null],
  ['gpt-6.2-sol', '5m', 'sticky', null],
  ['gemini-2.5-pro', '1h', 'sticky', 'prompt_caching.cache_ttl: 1h has no effect: gemini-2.5-pro is cached'],
  ['gemini-2.5-pro', 'off', 'sticky', 'prompt_caching.cache_ttl: off has no effect: '],
  ['gemini-2.5-pro', '5m', 'system_and_3', 'prompt_caching.strategy: system_and_3 has no effect: '],
] as const)('%s with %s and %s: %s', (model, setting, strategy, note) => {
  const text = settingNote(of(model), { setting, strategy })
  if (note === null) expect(text).toBeNull()
  else expect(text).toContain(note)
})
