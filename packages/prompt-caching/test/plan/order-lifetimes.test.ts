import { describe, expect, it } from 'vitest'
import { orderLifetimes } from '../../src/plan/order-lifetimes.ts'
import { readsToPay } from '../../src/plan/place-sticky.ts'
import { TEST_PRICING } from '../layouts.ts'

describe('orderLifetimes', () => {
  it('sorts, raises what stands before a long lifetime, and leaves what stands behind it', () => {
    const marked = [
      { block: 9, ttl: '5m' },
      { block: 2, ttl: '5m' },
      { block: 5, ttl: '1h' },
    ] as const
    expect(orderLifetimes(marked, TEST_PRICING)).toEqual([
      { block: 2, ttl: '1h' },
      { block: 5, ttl: '1h' },
      { block: 9, ttl: '5m' },
    ])
  })

  it('merges what stands on one block: the first one, with the longest lifetime', () => {
    const marked = [
      { block: 3, ttl: '5m', reason: 'first' },
      { block: 3, ttl: '1h', reason: 'second' },
    ] as const
    expect(orderLifetimes(marked, TEST_PRICING)).toEqual([{ block: 3, ttl: '1h', reason: 'first' }])
  })
})

describe('readsToPay', () => {
  it('is .28 for five minutes and 1.11 for an hour at a tenth', () => {
    expect(readsToPay({ write: 1.25 }, { read: 0.1 })).toBeCloseTo(0.278, 3)
    expect(readsToPay({ write: 2 }, { read: 0.1 })).toBeCloseTo(1.111, 3)
  })

  it('is nothing where writing is free and never where reading saves nothing', () => {
    expect(readsToPay({ write: 1 }, { read: 0.5 })).toBe(0)
    expect(readsToPay({ write: 1.25 }, { read: 1 })).toBe(Number.POSITIVE_INFINITY)
  })
})
