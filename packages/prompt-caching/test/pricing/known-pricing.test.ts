import { describe, expect, it } from 'vitest'
import { findPricing, pricingData } from '../../src/pricing/find-pricing.ts'

describe('OpenAI', () => {
  it.each([
    ['gpt-6.2-astra', 8, 40, 0.4],
    ['gpt-6.2-sol', 2, 10, 0.1],
    ['gpt-6.1-sol', 2, 10, 0.1],
    ['gpt-6.1-terra', 1, 5, 0.05],
    ['gpt-6-astra', 10, 50, 1],
    ['gpt-6-sol', 2, 10, 0.2],
    ['gpt-6-luna', 0.1, 0.5, 0.01],
    ['gpt-5.6', 5, 30, 0.5],
    ['gpt-5.6-sol', 5, 30, 0.5],
    ['gpt-5.6-terra', 2, 12, 0.2],
    ['gpt-5.6-luna', 0.2, 1.2, 0.02],
  ])('%s is found only where a breakpoint stood, and pays for writing', (model, input, output, cached) => {
    const pricing = findPricing({ model })
    expect(pricing).toMatchObject({ provider: 'openai', input, output, matching: 'exact', lookback: 1 })
    expect(pricing.read * input).toBeCloseTo(cached, 10)
    expect(pricing.short).toEqual({ ttl: '30m', seconds: 1800, write: 1.25 })
    expect(pricing).toMatchObject({ maxBreakpoints: 4, minimumTokens: 1024 })
    expect(pricing.tiers).toEqual([{ above: 272_000, factor: 2 }])
    expect(pricing.long).toBeUndefined()
  })

  it.each([
    ['gpt-5.5', 5, 30, 0.5],
    ['gpt-5.4', 2.5, 15, 0.25],
    ['gpt-5.4-mini', 0.75, 4.5, 0.075],
    ['gpt-5.4-nano', 0.2, 1.25, 0.02],
    ['gpt-5.2', 1.75, 14, 0.175],
    ['gpt-5.1', 1.25, 10, 0.125],
    ['gpt-5.1-codex', 1.25, 10, 0.125],
    ['gpt-5.1-codex-mini', 0.25, 2, 0.025],
    ['gpt-5', 1.25, 10, 0.125],
    ['gpt-5-mini', 0.25, 2, 0.025],
    ['gpt-5-nano', 0.05, 0.4, 0.005],
    ['gpt-4.1', 2, 8, 0.5],
    ['gpt-4.1-mini', 0.4, 1.6, 0.1],
    ['gpt-4.1-nano', 0.1, 0.4, 0.025],
    ['gpt-4o', 2.5, 10, 1.25],
    ['gpt-4o-mini', 0.15, 0.6, 0.075],
  ])('%s caches by itself, for nothing', (model, input, output, cached) => {
    const pricing = findPricing({ model, route: 'responses' })
    expect(pricing).toMatchObject({ input, output, matching: 'prefix', maxBreakpoints: 0 })
    expect(pricing.read * input).toBeCloseTo(cached, 10)
    expect(pricing.short).toEqual({ ttl: '5m', seconds: 300, write: 1 })
    expect(pricing.long).toBeUndefined()
  })

  it('12 hours exist on the Responses route, at two and a half times the price of input', () => {
    expect(findPricing({ model: 'gpt-6.1-terra', route: 'responses' }).long).toEqual({
      ttl: '12h',
      seconds: 43_200,
      write: 2.5,
    })
  })

  it('long prompts cost twice as much with GPT-5.4 and GPT-5.5 too, and not with the small ones', () => {
    expect(findPricing({ model: 'gpt-5.5' }).tiers).toEqual([{ above: 272_000, factor: 2 }])
    expect(findPricing({ model: 'gpt-5.4-mini' }).tiers).toEqual([])
  })
})

describe('Gemini', () => {
  it.each([
    ['gemini-2.5-pro', 1.25, 10, 2048],
    ['gemini-2.5-flash', 0.3, 2.5, 2048],
    ['gemini-3.1-pro-preview', 2, 12, 4096],
    ['gemini-3-flash-preview', 0.5, 3, 4096],
    ['gemini-3.1-flash-lite', 0.25, 1.5, 4096],
    ['gemini-3.1-flash-lite-preview', 0.25, 1.5, 4096],
    ['gemini-3.5-flash', 1.5, 9, 4096],
    ['gemini-3.6-flash', 0.75, 3.75, 4096],
    ['gemini-3.7-flash', 0.75, 3.75, 4096],
    ['gemini-3.8-flash', 0.75, 3.75, 4096],
  ])('%s caches by itself and reads at a tenth', (model, input, output, minimumTokens) => {
    expect(findPricing({ model })).toMatchObject({
      provider: 'gemini',
      input,
      output,
      read: 0.1,
      matching: 'prefix',
      minimumTokens,
      short: { write: 1 },
    })
  })

  it('the Pro models cost twice as much above 200,000 tokens', () => {
    for (const model of ['gemini-2.5-pro', 'gemini-3.1-pro-preview'])
      expect(findPricing({ model }).tiers).toEqual([{ above: 200_000, factor: 2 }])
  })
})

describe('DeepSeek and Qwen', () => {
  it.each([
    ['deepseek-flash', 0.15, 0.6, 0.02],
    ['deepseek-v4.1-flash', 0.15, 0.6, 0.02],
    ['deepseek-v4-flash', 0.15, 0.6, 0.02],
    ['deepseek-v4-pro', 0.66, 1.98, 0.033],
  ])('%s caches by itself from 64 tokens on', (model, input, output, read) => {
    const pricing = findPricing({ model })
    expect(pricing).toMatchObject({
      provider: 'deepseek',
      input,
      output,
      matching: 'prefix',
      minimumTokens: 64,
    })
    expect(pricing.read).toBeCloseTo(read, 3)
    expect(pricing.short).toEqual({ ttl: '1h', seconds: 3600, write: 1 })
  })

  it.each([
    ['qwen3.8-max', 2, 6],
    ['qwen3.7-max', 2.5, 7.5],
    ['qwen3.6-plus', 0.5, 3],
  ])('%s reads at a fifth by itself and at a tenth behind a marker', (model, input, output) => {
    expect(findPricing({ model })).toMatchObject({
      provider: 'qwen',
      input,
      output,
      read: 0.2,
      matching: 'prefix',
      minimumTokens: 256,
      maxBreakpoints: 0,
      short: { write: 1 },
    })
    const explicit = findPricing({ model, route: 'qwen-explicit' })
    expect(explicit).toMatchObject({
      read: 0.1,
      matching: 'per-block',
      minimumTokens: 1024,
      maxBreakpoints: 4,
    })
    expect(explicit.short).toEqual({ ttl: '5m', seconds: 300, write: 1.25 })
    expect(explicit.long).toBeUndefined()
  })
})

describe('all of them', () => {
  const all = pricingData().flatMap(({ models }) => models.map(({ id }) => findPricing({ model: id })))

  it(`each of the ${all.length} models says of which day its prices are and where they stand`, () => {
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
