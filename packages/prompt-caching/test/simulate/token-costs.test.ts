import { describe, expect, it } from 'vitest'
import { leastCost, type TokenCosts, UNSENT, visitToken } from '../../src/simulate/lower-bound.ts'

const SECOND = 1000

/** Twenty lifetimes of which none is better than another: the longer, the dearer. */
const visit = {
  uncached: 5,
  read: 0.1,
  writes: Array.from({ length: 20 }, (_, index) => ({ life: (index + 1) * SECOND, cost: 1 + index / 10 })),
  ping: null,
}

describe('visitToken', () => {
  it('keeps few ways, and merges others into cheaper ones that last as long', () => {
    const costs = visitToken(UNSENT, { ...visit, at: 0 })
    expect(costs.held).toHaveLength(8)
    const untilEnd = { ...visit, writes: [], at: 20 * SECOND }
    // The longest lifetime costs 2.9; merged into the eighth, 1.7.
    expect(leastCost(visitToken(costs, untilEnd))).toBeCloseTo(1.7 + 0.1, 9)
    expect(leastCost(costs)).toBe(1)
  })

  it('does not let pings prolong what reading does not prolong', () => {
    const once: TokenCosts = visitToken(UNSENT, { ...visit, writes: [{ life: SECOND, cost: 1.25 }], at: 0 })
    const later = { ...visit, writes: [], at: 3 * SECOND }
    expect(leastCost(visitToken(once, later))).toBe(1.25 + 5)
    // Two pings, at 1 and 2 s, and the read.
    expect(leastCost(visitToken(once, { ...later, ping: 0.1 }))).toBeCloseTo(1.25 + 0.2 + 0.1, 9)
  })
})
