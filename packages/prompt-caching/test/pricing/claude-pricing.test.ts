import { describe, expect, it } from 'vitest'
import { findPricing } from '../../src/pricing/find-pricing.ts'

/** Input, output, writing for the short and the long time, reading: US dollars for a million tokens. Minimum: tokens. */
type Row = [
  model: string,
  input: number,
  output: number,
  w5: number,
  w1h: number,
  read: number,
  minimum: number,
]

const CLAUDE: Row[] = [
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
  })

  it('reads at a tenth, at a twentieth from Opus 5.5 and Sonnet 5.5 on, at a fortieth with Fable', () => {
    expect(findPricing({ model: 'claude-opus-5' }).read).toBe(0.1)
    expect(findPricing({ model: 'claude-haiku-5-5' }).read).toBe(0.1)
    expect(findPricing({ model: 'claude-sonnet-5-5' }).read).toBe(0.05)
    expect(findPricing({ model: 'claude-opus-5-5' }).read).toBe(0.05)
    expect(findPricing({ model: 'claude-fable-5-1' }).read).toBe(0.025)
  })

  it('Haiku 5.5 costs five times as much above 100,000 tokens, and only it has a tier', () => {
    expect(findPricing({ model: 'claude-haiku-5-5' }).tiers).toEqual([{ above: 100_000, factor: 5 }])
    const flat = CLAUDE.slice(1).map(([model]) => findPricing({ model }).tiers)
    expect(flat).toEqual(flat.map(() => []))
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
