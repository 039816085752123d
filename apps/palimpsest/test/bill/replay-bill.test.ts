import { findPricing } from '@palimpsest/prompt-caching'
import { describe, expect, it } from 'vitest'
import { billNotes, lifetimeName } from '../../src/bill/replay-bill.ts'

describe('settings and notes', () => {
  const paid = { sticky: 1, systemAnd3: 1, uncached: 2 }
  const of = (model: string) => findPricing({ model })

  it.each([
    ['claude-opus-5', '5m', '5m'],
    ['claude-opus-5', '1h', '1h'],
    ['claude-opus-5', 'off', '5m'],
    ['gemini-2.5-pro', '1h', 'automatic'],
  ] as const)('%s with %s: %s', (model, setting, name) => expect(lifetimeName(of(model), setting)).toBe(name))

  it.each([
    ['claude-opus-5', '1h', null],
    ['claude-opus-5', 'off', /^prompt_caching\.cache_ttl: off: no breakpoints were placed/],
    ['gpt-6.2-sol', '5m', null],
    ['gemini-2.5-pro', '5m', null],
    [
      'gemini-2.5-pro',
      '1h',
      /^prompt_caching\.cache_ttl: 1h has no effect: gemini-2\.5-pro is cached by its provider$/,
    ],
    ['gemini-2.5-pro', 'off', /^prompt_caching\.cache_ttl: off has no effect: /],
  ] as const)('%s with %s: %s', (model, setting, note) => {
    const notes = billNotes(of(model), { setting, strategy: 'sticky' }, paid)
    if (note === null) expect(notes).toEqual([])
    else expect(notes).toEqual([expect.stringMatching(note)])
  })

  it('says whose breakpoints were placed when they are not those of sticky, and looks at their cost', () => {
    const notes = (model: string, setting: '5m' | 'off', systemAnd3 = 0) =>
      billNotes(of(model), { setting, strategy: 'system_and_3' }, { sticky: 0, systemAnd3, uncached: 1 })
    const placed = expect.stringMatching(
      /^prompt_caching\.strategy: system_and_3: the breakpoints were placed so/,
    )
    expect(notes('claude-opus-5', '5m')).toEqual([placed])
    expect(notes('claude-opus-5', '5m', 2)).toEqual([placed, expect.stringMatching(/^caching costs more/)])
    expect(notes('claude-opus-5', 'off')).toEqual([expect.stringMatching(/cache_ttl: off/)])
    expect(notes('gemini-2.5-pro', '5m')).toEqual([expect.stringMatching(/system_and_3 has no effect/)])
  })
})
