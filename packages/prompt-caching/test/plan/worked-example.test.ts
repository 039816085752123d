import { describe, expect, it } from 'vitest'
import type { RequestLayout } from '../../src/layout/request-layout.ts'
import type { PlanOptions } from '../../src/plan/plan-request.ts'
import type { CachePricing } from '../../src/pricing/cache-pricing.ts'
import { calls, layoutOf, TEST_PRICING, type TestMessage, user } from '../layouts.ts'
import { matchingPricings, playSession } from './play-session.ts'

/**
 * The worked example of the economics: 60 requests, 12,000 tokens of tools and 6,000 of system prompt, 3,000 more with
 * each request up to 199,000, a dozen parallel calls every fifth time. The second series has pauses of 8, 8 and 40
 * minutes.
 */
const REQUESTS = 60
const SECOND = 1000
const MINUTE = 60 * SECOND
/** Requests that follow a pause for thought, and its length. */
const PAUSES = new Map([
  [13, 8 * MINUTE],
  [26, 8 * MINUTE],
  [40, 40 * MINUTE],
])

function exampleLayouts(): RequestLayout[] {
  const tools = Array.from({ length: 12 }, (_, index) => ({ text: `tool ${index}`, tokens: 1000 }))
  const system = [{ text: 'system', tokens: 6000 }]
  const messages: TestMessage[] = [user('begin', 1300)]
  return Array.from({ length: REQUESTS }, (_, index) => {
    if (index > 0) {
      const many = index % 5 === 0
      messages.push(...calls(`step ${index}`, many ? 12 : 1, many ? 127 : 1523))
    }
    return layoutOf({ tools, system, messages: [...messages] })
  })
}

const layouts = exampleLayouts()
const total = (layout: RequestLayout | undefined) => layout?.tokens ?? 0
const times = (withPauses: boolean): number[] => {
  let at = 0
  return layouts.map((_, index) => {
    at += (withPauses ? PAUSES.get(index) : undefined) ?? 20 * SECOND
    return at
  })
}

/** Thousands of uncached tokens that the requests cost: the pricing takes one dollar for a million. */
function cost(pricing: CachePricing, options: PlanOptions, withPauses = false): number {
  const session = playSession(pricing, options)
  const at = times(withPauses)
  for (const [index, layout] of layouts.entries()) session.send(layout, at[index] ?? 0, index < REQUESTS - 1)
  return session.usd * 1000
}

/** The least that the requests can cost without pauses: all but the last write is read by every later request. */
function bound({ read, short }: CachePricing): number {
  const grown = layouts.map((layout, index) => total(layout) - total(layouts[index - 1]))
  const units = grown.map((tokens, index) => {
    const requests = REQUESTS - index
    return tokens * Math.min(requests, requests === 1 ? 1 : short.write + (requests - 1) * read)
  })
  return units.reduce((sum, one) => sum + one, 0) / 1000
}

/** The published figures in thousand units: without pauses, and with them. */
const PUBLISHED = [
  { read: 0.1, sticky: 884, paused: 1213, hour: 1034 },
  { read: 0.05, sticky: 567, paused: 910, hour: 716 },
]

describe('the requests of the worked example', () => {
  it('have the sizes of the worked example', () => {
    const sent = layouts.reduce((sum, layout) => sum + total(layout), 0)
    expect(sent / 6_549_000).toBeCloseTo(1, 2)
    expect(total(layouts.at(-1)) / 199_000).toBeCloseTo(1, 2)
  })
})

describe.each(PUBLISHED)('the worked example with reads at $read', ({ read, ...published }) => {
  const base = { ...TEST_PRICING, read }
  const least = bound(base)

  it.each(matchingPricings(base))('sticky costs no more than the bound: $matching', (pricing) => {
    const sticky = cost(pricing, {})
    const old = cost(pricing, { strategy: 'system_and_3' })
    expect(sticky).toBeGreaterThanOrEqual(least - 0.001)
    expect(sticky / least).toBeLessThan(1.01)
    if (pricing.matching === 'collapsed') expect(old / least).toBeLessThan(1.01)
    else expect(old / least).toBeGreaterThan(2)
  })

  it.each(matchingPricings(base))('lifetimes cost what was published: $matching', (pricing) => {
    const figures = {
      sticky: cost(pricing, {}),
      paused: cost(pricing, {}, true),
      hour: cost(pricing, { ttl: '1h' }, true),
    }
    expect(figures.sticky / published.sticky).toBeCloseTo(1, 2)
    expect(figures.paused / published.paused).toBeCloseTo(1, 2)
    expect(figures.hour / published.hour).toBeCloseTo(1, 2)
  })
})
