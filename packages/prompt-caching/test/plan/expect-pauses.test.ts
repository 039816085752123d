import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { SessionPauses } from '../../src/cache/cache-state.ts'
import { expectPauses } from '../../src/plan/expect-pauses.ts'
import { pausesCost, pingsWorth } from '../../src/plan/pings-worth.ts'
import { TEST_PRICING } from '../layouts.ts'

const MINUTE = 60_000
const { short, long = short } = TEST_PRICING
const END = Number.POSITIVE_INFINITY
const own = (requests: number, minutes: readonly number[] = [], changes = 0): SessionPauses => ({
  requests,
  longPauses: minutes.map((pause) => pause * MINUTE),
  changes,
})

const session = fc
  .record({
    requests: fc.integer({ min: 0, max: 2000 }),
    minutes: fc.array(fc.double({ min: 5.01, max: 10_000, noNaN: true }), { maxLength: 20 }),
    changes: fc.integer({ min: 0, max: 50 }),
  })
  .map(({ requests, minutes, changes }) => own(requests + minutes.length, minutes, changes))
const sessions = fc.array(session, { maxLength: 6 })

describe('expectPauses', () => {
  it('expects of a first session that it goes on for as long as it has', () => {
    for (const requests of [1, 10, 100])
      expect(expectPauses(own(requests), [], TEST_PRICING)).toMatchObject({
        requests,
        requestsPerEnd: requests,
      })
  })

  it('expects of sessions after long ones that they are long, and after short ones that they end', () => {
    const after = (lengths: number[]) =>
      expectPauses(
        own(1),
        lengths.map((requests) => own(requests)),
        TEST_PRICING,
      )
    expect(after([100, 100, 100]).requests).toBeCloseTo((3 * 99 + 1) / 4, 9)
    expect(after([100, 100, 100]).requestsPerEnd).toBe(4)
    expect(after([1, 1, 1]).requestsPerEnd).toBe(0.25)
  })

  it('is of the opinion of the session itself once that has said enough', () => {
    const earlier = Array.from({ length: 50 }, () => own(100))
    const { perRequest } = expectPauses(
      own(
        200,
        Array.from({ length: 100 }, () => 6),
      ),
      earlier,
      TEST_PRICING,
    )
    expect(perRequest).toBeGreaterThan(0.2)
  })

  it('has shares that are one together, and a chance for a pause of any length up to a day', () => {
    fc.assert(
      fc.property(session, sessions, (now, earlier) => {
        const { share, perRequest, requests, requestsToChange } = expectPauses(now, earlier, TEST_PRICING)
        const ends = [5, 6, 10, 30, 60, 600, 1440].map((minutes) => minutes * MINUTE)
        const shares = ends.map((from, index) => share(from, ends[index + 1] ?? END))
        expect(shares.reduce((sum, one) => sum + one, 0)).toBeCloseTo(1, 9)
        for (const one of shares.slice(0, -1)) expect(one).toBeGreaterThan(0)
        expect(perRequest).toBeGreaterThan(0)
        expect(requestsToChange).toBeLessThanOrEqual(requests * (1 + 1e-12))
      }),
      { numRuns: 300 },
    )
  })

  it('expects messages to change as often as they did', () => {
    const { requests, requestsToChange } = expectPauses(own(100, [], 20), [], TEST_PRICING)
    expect(requests).toBe(100)
    expect(requestsToChange).toBeCloseTo(1 / (1 / 100 + 0.2), 9)
  })
})

describe('the worth of pings', () => {
  it('is no more than a rewrite, and pings make no pause dearer', () => {
    fc.assert(
      fc.property(session, sessions, fc.constantFrom(0.025, 0.05, 0.1, 0.5), (now, earlier, read) => {
        const pricing = { ...TEST_PRICING, read }
        const pauses = expectPauses(now, earlier, pricing)
        for (const lifetime of [short, long]) {
          const pings = pingsWorth(lifetime, pauses, pricing, {})
          expect(pings * read).toBeLessThanOrEqual(lifetime.write - read + 1e-9)
          const keepAlive = { budgetUsd: 1 }
          const pinged = pausesCost(lifetime, pauses.requests, pauses, pricing, { keepAlive })
          expect(pinged).toBeLessThanOrEqual(pausesCost(lifetime, pauses.requests, pauses, pricing, {}))
        }
      }),
      { numRuns: 300 },
    )
  })

  it('is nothing in a session that has not paused, and grows with pauses that end soon', () => {
    const pings = (now: SessionPauses) =>
      pingsWorth(short, expectPauses(now, [], TEST_PRICING), TEST_PRICING, {})
    expect(pings(own(50))).toBe(0)
    expect(pings(own(50, [8]))).toBe(1)
    expect(pings(own(50, [8, 12, 7, 13, 12]))).toBe(2)
    expect(pings(own(50, [600, 700]))).toBe(0)
  })
})
