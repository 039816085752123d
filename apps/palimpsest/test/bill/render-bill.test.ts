import { findPricing } from '@palimpsest/prompt-caching'
import { describe, expect, it } from 'vitest'
import type { BillReport } from '../../src/bill/bill-report.ts'
import { billRows } from '../../src/bill/render-bill.ts'
import { billNotes, lifetimeName } from '../../src/bill/replay-bill.ts'

const BILL: BillReport = {
  profile: {
    ...{
      provider: 'anthropic',
      model: 'claude-sonnet-5-5',
      asOf: '2026-10-16',
      matching: 'collapsed',
      ttl: '5m',
    },
    ...{ source: 'https://prices.example', file: null },
  },
  ...{
    uncached: 12.345,
    systemAnd3: 2.5,
    sticky: 2.25,
    cacheReadShare: 0.75,
  },
  summaries: { count: 0, usd: 0, asModelUsd: 0 },
  notes: [],
}

const rowsOf = (changes: Partial<BillReport> = {}) => Object.fromEntries(billRows({ ...BILL, ...changes }))

describe('the table of a bill', () => {
  it('has one line where the provider caches by itself', () => {
    const rows = rowsOf({ profile: { ...BILL.profile, matching: 'prefix', ttl: 'automatic' } })
    expect(Object.keys(rows)).toEqual(['prices', 'without cache', 'cached'])
    expect(rows.cached).toBe('$2.2500, 75.00 % of the tokens read from the cache')
    expect(rows.prices).toContain('cached by the provider itself')
  })

  it("names the user's file as the source, on one line that no terminal obeys", () => {
    const profile = { ...BILL.profile, file: 'my\u001b[2J\nprices.json' }
    expect(rowsOf({ profile }).source).toMatch(/^my.*prices\.json$/)
    expect(rowsOf({ profile }).source).not.toMatch(/\p{Cc}/u)
  })

  it('has summaries when there are any, and says when their price is not known', () => {
    const summaries = { count: 2, usd: 0.5, asModelUsd: 1.25 }
    expect(rowsOf({ summaries }).summaries).toBe('$0.5000; $1.2500 if claude-sonnet-5-5 had written 2')
    expect(rowsOf({ summaries: { ...summaries, usd: null } }).summaries).toMatch(
      /^price not known; \$1\.2500/,
    )
    expect(rowsOf({ summaries: { ...summaries, usd: 0 } }).summaries).toMatch(/^for nothing; \$1\.2500/)
  })
})

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
