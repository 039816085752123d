import { describe, expect, it } from 'vitest'
import type { RequestLayout } from '../../src/layout/request-layout.ts'
import type { PlanOptions, PlanRequest } from '../../src/plan/plan-options.ts'
import { simulateStrategy } from '../../src/simulate/simulate.ts'
import { answer, layoutOf, TEST_PRICING, type TestMessage, user } from '../layouts.ts'
import { PAUSE_PATTERNS, type PausePattern } from './pause-patterns.ts'

/** In tokens: what stands before the messages, and what each request adds. */
const SESSIONS = [
  { head: 30_000, grown: 1000, requests: 60 },
  { head: 5000, grown: 2500, requests: 60 },
  { head: 20_000, grown: 500, requests: 200 },
  { head: 10_000, grown: 4000, requests: 15 },
]
const SEEDS = 6

function layoutsOf({ head, grown, requests }: (typeof SESSIONS)[number]): RequestLayout[] {
  const messages: TestMessage[] = []
  return Array.from({ length: requests }, (_, index) => {
    messages.push(user(`ask ${index}`, grown / 4), answer(`answer ${index}`, (grown * 3) / 4))
    return layoutOf({ system: [{ text: 'system', tokens: head }], messages: [...messages] })
  })
}

function requestsOf(
  { pauses }: PausePattern,
  session: readonly RequestLayout[],
  seed: number,
): PlanRequest[] {
  const times = pauses(session.length, seed * 7919)
  let at = 0
  return session.map((layout, index) => {
    at += index === 0 ? 0 : (times[index - 1] ?? 0)
    return { layout, at }
  })
}

/** The cost of a lifetime with a pattern of pauses, in all sessions; `taught` is `auto` with other sessions before. */
function costsOf(pattern: PausePattern, layouts: RequestLayout[][]) {
  const usd = { '5m': 0, '1h': 0, auto: 0, taught: 0 }
  const price = (requests: PlanRequest[], options: PlanOptions) =>
    simulateStrategy(requests, TEST_PRICING, options)
  const earlier = layouts.map((session) => price(requestsOf(pattern, session, SEEDS + 1), {}).state)
  for (const session of layouts)
    for (let seed = 1; seed <= SEEDS; seed++) {
      const requests = requestsOf(pattern, session, seed)
      for (const ttl of ['5m', '1h', 'auto'] as const) usd[ttl] += price(requests, { ttl }).total.usd
      usd.taught += price(requests, { ttl: 'auto', earlier }).total.usd
    }
  return usd
}

describe('the lifetime auto, with pauses as they come', () => {
  const layouts = SESSIONS.map(layoutsOf)
  const rows = PAUSE_PATTERNS.map((pattern) => {
    const { name } = pattern
    const usd = costsOf(pattern, layouts)
    const least = Math.min(usd['5m'], usd['1h'])
    return {
      name,
      short: usd['5m'] / least,
      long: usd['1h'] / least,
      auto: usd.auto / least,
      taught: usd.taught / least,
    }
  })

  it('is near the better of both, and never as bad as the worse where they differ much', () => {
    const lines = rows.map(
      ({ name, short, long, auto, taught }) =>
        `${name.padEnd(28)} 5m ${short.toFixed(2)}  1h ${long.toFixed(2)}  auto ${auto.toFixed(2)}  taught ${taught.toFixed(2)}`,
    )
    console.log(`cost to that of the better lifetime\n${lines.join('\n')}`)
    for (const { name, short, long, auto } of rows) {
      expect(auto, name).toBeLessThan(1.12)
      if (Math.max(short, long) > 1.15) expect(auto, name).toBeLessThan(Math.max(short, long))
    }
    const mean = rows.reduce((sum, { auto }) => sum + auto, 0) / rows.length
    expect(mean).toBeLessThan(1.05)
  })

  it('is nearer with sessions before that paused as this one does', () => {
    for (const { name, taught } of rows) expect(taught, name).toBeLessThan(1.06)
    const mean = rows.reduce((sum, { taught }) => sum + taught, 0) / rows.length
    expect(mean).toBeLessThan(1.02)
  })

  it('costs what five minutes cost without pauses', () => {
    expect(rows.find(({ name }) => name === 'machine-paced')?.auto).toBe(1)
  })
})
