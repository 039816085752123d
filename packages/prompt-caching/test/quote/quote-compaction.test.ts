import { InvalidOptionError } from '@palimpsest/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type QuoteContext, quoteCompaction } from '../../src/quote/quote-compaction.ts'
import { TEST_PRICING } from '../layouts.ts'

const FORECAST = { keptTokens: 19_000, replacedTokens: 60_000, summaryTokens: 3000, tailTokens: 20_000 }
const CHEAP = { input: TEST_PRICING.input / 20, output: TEST_PRICING.output / 20 }

function context(read = 0.1, more: Partial<QuoteContext> = {}): QuoteContext {
  return { pricing: { ...TEST_PRICING, read }, isWarm: true, requests: 100, ...more }
}

describe('quoteCompaction', () => {
  /** Requests until it has paid for itself, as published; the published ones are rounded. */
  it.each([
    ['10,000 tokens of summary on the warm prefix', 10_000, undefined, [18, 36, 71]],
    ['3,000 tokens of summary on the warm prefix', 3000, undefined, [8, 16, 31]],
    ['3,000 tokens of summary by a model that costs a twentieth', 3000, CHEAP, [4, 10, 21]],
  ])('breaks even as published: %s', (_, summaryTokens, summarizer, published) => {
    const found = [0.1, 0.05, 0.025].map(
      (read) =>
        quoteCompaction({ ...FORECAST, summaryTokens }, context(read, summarizer && { summarizer }))
          .breakEven,
    )
    console.log(
      `break-even of ${summaryTokens} tokens: ${found.map((requests) => requests.toFixed(2)).join(', ')}`,
    )
    for (const [index, requests] of found.entries())
      expect(Math.abs(requests - (published[index] ?? Number.NaN))).toBeLessThan(0.7)
  })

  it('costs nothing at once when the cache is cold and the summariser is cheap', () => {
    const quote = quoteCompaction(FORECAST, context(0.1, { isWarm: false, summarizer: CHEAP }))
    expect(quote).toMatchObject({ verdict: 'now', breakEven: 0, isWarm: false })
    expect(quote.oneTimeUsd).toBeLessThan(0)
  })

  it('is the formula in dollars', () => {
    const { oneTimeUsd, perRequestUsd } = quoteCompaction(FORECAST, context())
    const call = 0.1 * 99_000 + 5 * 3000
    expect(oneTimeUsd).toBeCloseTo((call + 1.15 * 20_000 + 1.25 * 3000 - 0.1 * 60_000) / 1e6, 12)
    expect(perRequestUsd).toBeCloseTo((0.1 * 57_000) / 1e6, 12)
    const cold = quoteCompaction(FORECAST, context(0.1, { isWarm: false, summarizer: CHEAP }))
    expect(cold.oneTimeUsd).toBeCloseTo((3750 + 1.25 * 3000 - 1.25 * 60_000) / 1e6, 12)
  })

  it.each([
    ['now', true, 9],
    ['at-next-pause', true, 8],
    ['at-next-pause', true, 1],
    ['not-for-money', true, 0],
    ['now', false, 1],
    ['not-for-money', false, 0],
  ] as const)(
    'says %s when the cache is warm: %s, and %i requests follow',
    (verdict, isWarm, requestsLeft) => {
      expect(quoteCompaction({ ...FORECAST, requestsLeft }, context(0.1, { isWarm })).verdict).toBe(verdict)
    },
  )

  it('expects as many requests as there have been', () => {
    expect(quoteCompaction(FORECAST, context(0.1, { requests: 8 })).verdict).not.toBe('now')
    expect(quoteCompaction(FORECAST, context(0.1, { requests: 9 })).verdict).toBe('now')
    expect(quoteCompaction({ ...FORECAST, requestsLeft: 9 }, context(0.1, { requests: 0 })).verdict).toBe(
      'now',
    )
  })

  it.each([3000, 2999, 0])('never pays when 3,000 tokens of summary replace %i', (replacedTokens) => {
    for (const isWarm of [true, false]) {
      const quote = quoteCompaction({ ...FORECAST, replacedTokens }, context(0.1, { isWarm }))
      expect(quote).toMatchObject({ verdict: 'not-for-money', breakEven: Number.POSITIVE_INFINITY })
    }
  })

  it('sees that a shorter prompt leaves a dear tier', () => {
    const pricing = { ...TEST_PRICING, tiers: [{ above: 90_000, factor: 5 }] }
    const plain = quoteCompaction(FORECAST, context())
    const tiered = quoteCompaction(FORECAST, context(0.1, { pricing }))
    expect(tiered.perRequestUsd).toBeCloseTo((0.1 * (5 * 99_000 - 42_000)) / 1e6, 12)
    expect(tiered.breakEven).toBeLessThan(plain.breakEven)
  })

  it.each([
    ['keptTokens', { keptTokens: Number.NaN }],
    ['replacedTokens', { replacedTokens: -1 }],
    ['summaryTokens', { summaryTokens: Number.POSITIVE_INFINITY }],
    ['tailTokens', { tailTokens: '20000' as unknown as number }],
    ['requestsLeft', { requestsLeft: Number.NEGATIVE_INFINITY }],
  ])('refuses a %s that is no size', (path, wrong) => {
    expectRefused(path, () => quoteCompaction({ ...FORECAST, ...wrong }, context()))
  })

  it('refuses wrong numbers of the context', () => {
    expectRefused('requests', () => quoteCompaction(FORECAST, context(0.1, { requests: -1 })))
    const summarizer = { input: 1, output: Number.NaN }
    expectRefused('summarizer.output', () => quoteCompaction(FORECAST, context(0.1, { summarizer })))
  })

  it('gives numbers for all sizes, and pays the sooner the more is replaced', () => {
    const size = fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER })
    fc.assert(
      fc.property(
        size,
        size,
        size,
        size,
        fc.boolean(),
        (keptTokens, replacedTokens, summaryTokens, tailTokens, isWarm) => {
          const forecast = { keptTokens, replacedTokens, summaryTokens, tailTokens }
          const quote = quoteCompaction(forecast, context(0.1, { isWarm }))
          expect(Number.isFinite(quote.oneTimeUsd)).toBe(true)
          expect(quote.breakEven).toBeGreaterThanOrEqual(0)
          const more = quoteCompaction(
            { ...forecast, replacedTokens: replacedTokens / 2 },
            context(0.1, { isWarm }),
          )
          expect(more.breakEven).toBeGreaterThanOrEqual(quote.breakEven)
        },
      ),
    )
  })
})

function expectRefused(path: string, call: () => unknown): void {
  let thrown: unknown
  try {
    call()
  } catch (error) {
    thrown = error
  }
  expect(thrown).toBeInstanceOf(InvalidOptionError)
  expect(thrown).toMatchObject({ code: 'INVALID_OPTION', path })
  expect(String(thrown)).toContain(path)
}
