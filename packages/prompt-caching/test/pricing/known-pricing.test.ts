import { describe, expect, it } from 'vitest'
import { findPricing, pricingData } from '../../src/pricing/find-pricing.ts'

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
