import { describe, expect, it } from 'vitest'
import type { PlanOptions } from '../../src/plan/plan-options.ts'
import type { CachePricing } from '../../src/pricing/cache-pricing.ts'
import { answer, layoutOf, TEST_PRICING, type TestMessage, user } from '../layouts.ts'
import { sessionsThatPause } from './earlier-sessions.ts'
import { playSession } from './play-session.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
const system = [{ text: 'system', tokens: 30_000 }]
/** A session before, with a compaction in every other request and a pause in every twentieth. */
const COMPACTING = { requests: 200, longPauses: Array.from({ length: 10 }, () => 10 * MINUTE), changes: 100 }

/** The lifetime of the last breakpoint after each pause, and what all cost. */
function play(pauses: readonly number[], options: PlanOptions, pricing: CachePricing = TEST_PRICING) {
  const session = playSession(pricing, options)
  const messages: TestMessage[] = []
  let at = 0
  const ttls = [0, ...pauses].map((pause, index) => {
    at += pause
    messages.push(user(`ask ${index}`, 200), answer(`answer ${index}`, 800))
    return session.send(layoutOf({ system, messages: [...messages] }), at).plan.anchors.at(-1)?.ttl
  })
  return { ttls, usd: session.usd }
}

describe('chooseLifetimes', () => {
  it('takes the lifetime that was asked for, and the short one where there is no long one', () => {
    expect(play([], {}).ttls).toEqual(['5m'])
    expect(play([], { ttl: '1h' }).ttls).toEqual(['1h'])
    const { long: _, ...shortOnly } = TEST_PRICING
    expect(play([10 * MINUTE], { ttl: '1h' }, shortOnly).ttls).toEqual(['5m', '5m'])
  })

  it.each(['sticky', 'system_and_3'] as const)(
    'auto writes for an hour from the second pause on that an hour outlives, with %s',
    (strategy) => {
      const pauses = [20 * SECOND, ...Array.from({ length: 7 }, () => 10 * MINUTE)]
      const auto = play(pauses, { ttl: 'auto', strategy })
      expect(auto.ttls).toEqual(['5m', '5m', '5m', '1h', '1h', '1h', '1h', '1h', '1h'])
      expect(auto.usd).toBeLessThan(play(pauses, { strategy }).usd)
    },
  )

  it('auto stays with five minutes where there are no pauses, and where an hour does not outlive the pauses', () => {
    const seconds = Array.from({ length: 20 }, () => 20 * SECOND)
    const nights = Array.from({ length: 6 }, () => 120 * MINUTE)
    for (const pauses of [seconds, nights])
      expect(new Set(play(pauses, { ttl: 'auto' }).ttls)).toEqual(new Set(['5m']))
  })

  it('auto goes back to five minutes while as many pauses were too long for an hour', () => {
    const pauses = [10, 10, 90, 90, 10, 10].map((minutes) => minutes * MINUTE)
    const { ttls } = play(pauses, { ttl: 'auto' })
    expect(ttls).toEqual(['5m', '5m', '1h', '1h', '5m', '1h', '1h'])
  })

  it('auto does not write for an hour behind five minutes that are held', () => {
    const pauses = [90, 90, 10, 10, 10].map((minutes) => minutes * MINUTE)
    // Three of five outlived an hour by now, but what was written for five minutes stands before.
    const { ttls } = play([...pauses, 20 * SECOND], { ttl: 'auto' })
    expect(ttls).toEqual(['5m', '5m', '5m', '5m', '5m', '1h', '1h'])
    const held = play(
      [10, 10, 90, 90].map((minutes) => minutes * MINUTE).concat([20 * SECOND, 20 * SECOND]),
      { ttl: 'auto' },
    )
    expect(held.ttls).toEqual(['5m', '5m', '1h', '1h', '5m', '5m', '5m'])
  })

  it('auto gives the head an hour, and five minutes to messages that a compaction soon replaces', () => {
    const session = playSession(TEST_PRICING, { ttl: 'auto', earlier: [COMPACTING] })
    const ttls = Array.from({ length: 5 }, (_, index) => {
      const summary = { role: 'user' as const, blocks: [{ text: `summary ${index}`, tokens: 3000 }] }
      const messages = [summary, answer(`answer ${index}`, 800)]
      return session
        .send(layoutOf({ system, messages }), index * 20 * SECOND)
        .plan.anchors.map(({ ttl }) => ttl)
    })
    expect(ttls.slice(1).every((of) => of[0] === '1h' && of.at(-1) === '5m')).toBe(true)
    const steady = playSession(TEST_PRICING, { ttl: 'auto', earlier: [{ ...COMPACTING, changes: 0 }] })
    const { anchors } = steady.send(layoutOf({ system, messages: [user('ask', 3000)] }), 0).plan
    expect(anchors.map(({ ttl }) => ttl)).toEqual(['1h', '1h'])
  })

  it('auto leaves short pauses to pings when there are pings', () => {
    const pauses = Array.from({ length: 8 }, () => 8 * MINUTE)
    const keepAlive = { budgetUsd: 100 }
    const earlier = sessionsThatPause(8).map((session) => ({ ...session, longPauses: [8 * MINUTE] }))
    const pinged = play(pauses, { ttl: 'auto', keepAlive, earlier })
    expect(new Set(pinged.ttls)).toEqual(new Set(['5m']))
    expect(pinged.usd).toBeLessThan(play(pauses, { ttl: 'auto' }).usd)
  })
})
