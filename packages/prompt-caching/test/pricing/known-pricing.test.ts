import { describe, expect, it } from 'vitest'
import { findPricing, pricingData } from '../../src/pricing/find-pricing.ts'

/** Input, output, writing for the short and the long time, reading: US dollars for a million tokens. Minimum: tokens. */
type ClaudeRow = [
  model: string,
  input: number,
  output: number,
  w5: number,
  w1h: number,
  read: number,
  minimum: number,
]

const CLAUDE: ClaudeRow[] = [
  ['claude-haiku-5-5', 0.1, 0.5, 0.125, 0.2, 0.01, 512],
  ['claude-sonnet-5-5', 2, 10, 2.5, 4, 0.1, 512],
  ['claude-opus-5-5', 4, 20, 5, 8, 0.2, 512],
  ['claude-opus-5', 5, 25, 6.25, 10, 0.5, 512],
  ['claude-fable-5-1', 10, 50, 12.5, 20, 0.25, 512],
  ['claude-mythos-5-1', 10, 50, 12.5, 20, 0.25, 512],
  ['claude-sonnet-5', 2, 10, 2.5, 4, 0.2, 1024],
  ['claude-sonnet-4-6', 3, 15, 3.75, 6, 0.3, 1024],
  ['claude-sonnet-4-5', 3, 15, 3.75, 6, 0.3, 1024],
  ['claude-opus-4-8', 5, 25, 6.25, 10, 0.5, 1024],
  ['claude-opus-4-7', 5, 25, 6.25, 10, 0.5, 2048],
  ['claude-opus-4-6', 5, 25, 6.25, 10, 0.5, 4096],
  ['claude-opus-4-5', 5, 25, 6.25, 10, 0.5, 4096],
  ['claude-haiku-4-5', 1, 5, 1.25, 2, 0.1, 4096],
]

describe('Claude', () => {
  it.each(CLAUDE)('%s costs what the price list says', (model, input, output, w5, w1h, read, minimum) => {
    const pricing = findPricing({ model })
    expect(pricing).toMatchObject({ provider: 'anthropic', model, input, output, minimumTokens: minimum })
    expect(pricing.short).toMatchObject({ ttl: '5m', seconds: 300 })
    expect(pricing.long).toMatchObject({ ttl: '1h', seconds: 3600 })
    expect(pricing.short.write * input).toBeCloseTo(w5, 10)
    expect((pricing.long?.write ?? 0) * input).toBeCloseTo(w1h, 10)
    expect(pricing.read * input).toBeCloseTo(read, 10)
    expect(pricing).toMatchObject({ maxBreakpoints: 4, lookback: 20 })
    expect(pricing.tiers).toEqual(model === 'claude-haiku-5-5' ? [{ above: 100_000, factor: 5 }] : [])
  })

  it('runs of tool calls collapse on the Claude API only', () => {
    const matching = (route: string) => findPricing({ model: 'claude-opus-5', route }).matching
    expect(matching('anthropic')).toBe('collapsed')
    expect(['bedrock', 'vertex', 'openrouter', 'litellm', 'elsewhere'].map(matching)).toEqual(
      Array(5).fill('per-block'),
    )
  })

  it('Opus 4.7 needs a longer prompt on Bedrock', () => {
    expect(findPricing({ model: 'claude-opus-4-7', route: 'bedrock' }).minimumTokens).toBe(4096)
  })
})

describe('providers that cache by themselves', () => {
  const openai = { minimumTokens: 1024, short: { ttl: '5m', seconds: 300, write: 1 } }
  const paid = { minimumTokens: 1024, short: { ttl: '30m', seconds: 1800, write: 1.25 } }
  const gemini = { minimumTokens: 4096, short: { ttl: '5m', seconds: 300, write: 1 } }
  const deepseek = { minimumTokens: 64, short: { ttl: '1h', seconds: 3600, write: 1 } }
  const qwen = { minimumTokens: 256 }
  it.each<[model: string, input: number, output: number, read: number, rules: object]>([
    ['gpt-6.2-astra', 8, 40, 0.4, paid],
    ['gpt-6.2-sol', 2, 10, 0.1, paid],
    ['gpt-6.1-terra', 1, 5, 0.05, paid],
    ['gpt-6-astra', 10, 50, 1, paid],
    ['gpt-6-luna', 0.1, 0.5, 0.01, paid],
    ['gpt-5.6', 5, 30, 0.5, paid],
    ['gpt-5.5', 5, 30, 0.5, openai],
    ['gpt-5.4-mini', 0.75, 4.5, 0.075, openai],
    ['gpt-5.1-codex', 1.25, 10, 0.125, openai],
    ['gpt-5', 1.25, 10, 0.125, openai],
    ['gpt-4.1', 2, 8, 0.5, openai],
    ['gpt-4o', 2.5, 10, 1.25, openai],
    ['gemini-2.5-pro', 1.25, 10, 0.125, { ...gemini, minimumTokens: 2048 }],
    ['gemini-3.1-pro-preview', 2, 12, 0.2, gemini],
    ['gemini-3.8-flash', 0.75, 3.75, 0.075, gemini],
    ['deepseek-v4.1-flash', 0.15, 0.6, 0.003, deepseek],
    ['deepseek-v4-pro', 0.66, 1.98, 0.022, deepseek],
    ['qwen3.8-max', 2, 6, 0.4, qwen],
    ['qwen3.6-plus', 0.5, 3, 0.1, qwen],
  ])('%s', (model, input, output, read, rules) => {
    const pricing = findPricing({ model })
    expect(pricing).toMatchObject({ input, output, matching: 'prefix', maxBreakpoints: 0, ...rules })
    expect(pricing.read * input).toBeCloseTo(read, 3)
    expect(pricing.long).toBeUndefined()
  })

  it.each([
    ['gpt-6.2-sol', [{ above: 272_000, factor: 2 }]],
    ['gpt-5.5', [{ above: 272_000, factor: 2 }]],
    ['gpt-5.4-mini', []],
    ['gemini-2.5-pro', [{ above: 200_000, factor: 2 }]],
    ['gemini-3.8-flash', []],
  ])('long prompts of %s cost more: %j', (model, tiers) => {
    expect(findPricing({ model }).tiers).toEqual(tiers)
  })

  it('Qwen reads at a tenth where it takes markers', () => {
    expect(findPricing({ model: 'qwen3.8-max', route: 'qwen-explicit' })).toMatchObject({
      ...{ read: 0.1, matching: 'per-block', minimumTokens: 1024, maxBreakpoints: 4 },
      short: { ttl: '5m', seconds: 300, write: 1.25 },
    })
  })
})

describe('all of them', () => {
  const all = pricingData().flatMap(({ models }) => models.map(({ id }) => findPricing({ model: id })))

  it(`each of the ${all.length} models says of which day its prices are, and where they were read`, () => {
    for (const { asOf, source } of all) {
      expect(asOf).toMatch(/^2026-\d\d-\d\d$/)
      expect(source).toContain('https://')
    }
  })

  it('reading is cheaper than not reading, and writing is not', () => {
    for (const { read, short, long } of all) {
      expect(read).toBeLessThan(1)
      expect(short.write).toBeGreaterThanOrEqual(1)
      expect(long?.write ?? Number.POSITIVE_INFINITY).toBeGreaterThan(short.write)
    }
  })
})
