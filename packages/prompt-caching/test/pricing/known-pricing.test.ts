import { describe, expect, it } from 'vitest'
import { findPricing, PRICING_DATA } from '../../src/pricing/find-pricing.ts'

describe('all of them', () => {
  const all = PRICING_DATA.flatMap(({ models }) => models.map(({ id }) => findPricing({ model: id })))

  it(`each of the ${all.length} models says of which day its prices are, and where they were read`, () => {
    for (const { asOf, source } of all) {
      expect(asOf).toMatch(/^2026-\d\d-\d\d$/)
      expect(source).toContain('https://')
    }
  })

  it('are no older than 120 days: read the page of their source again, and set `asOf`', () => {
    const oldest = Date.now() - 120 * 86_400_000
    const old = all.filter(({ asOf }) => Date.parse(asOf) < oldest)
    expect(old.map(({ model, asOf, source }) => `${model}, ${asOf}: ${source}`)).toEqual([])
  })

  it('each has a name that is there once, and a family of its file', () => {
    const ids = PRICING_DATA.flatMap(({ models }) => models.map(({ id }) => id))
    expect(new Set(ids).size).toBe(ids.length)
    for (const { models, families } of PRICING_DATA)
      for (const { family } of models) expect(families).toHaveProperty([family])
  })

  it('reading is cheaper than not reading, and writing is not', () => {
    for (const { read, short, long } of all) {
      expect(read).toBeLessThan(1)
      expect(short.write).toBeGreaterThanOrEqual(1)
      expect(long?.write ?? Number.POSITIVE_INFINITY).toBeGreaterThan(short.write)
    }
  })
})
