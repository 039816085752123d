import { describe, expect, it } from 'vitest'
import { servePing, serveRequest } from '../../src/cache/serve-request.ts'
import type { RequestLayout } from '../../src/layout/request-layout.ts'
import { nextPing, type PingInput } from '../../src/plan/keep-alive.ts'
import type { CachePricing } from '../../src/pricing/cache-pricing.ts'
import { answer, calls, layoutOf, TEST_PRICING, user } from '../layouts.ts'
import { sessionsThatPause } from './earlier-sessions.ts'
import { playSession } from './play-session.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
const tools = [{ text: 'tools', tokens: 3000 }]
const system = [{ text: 'system', tokens: 4000 }]
const messages = [user('ask', 500), ...calls('work', 12, 1000)]
const layout = layoutOf({ tools, system, messages })

const earlier = sessionsThatPause(52)

/** Pings from a first request at 0 on until there is no other. */
function pingsOf(
  pricing: CachePricing,
  budgetUsd: number,
  { ttl = '5m', pause = 52 }: { ttl?: '5m' | '1h'; pause?: number } = {},
) {
  const options = { keepAlive: { budgetUsd }, earlier: sessionsThatPause(pause) }
  const session = playSession(pricing, { ttl })
  session.send(layout, 0)
  let { state } = session
  let spentUsd = 0
  const pings = []
  for (;;) {
    const input: PingInput = { layout, state, pricing, spentUsd, options, idleSince: 0 }
    const ping = nextPing(input)
    if (ping === null) return { pings, spentUsd, state }
    pings.push(ping)
    spentUsd += ping.expected.usd
    state = servePing({ layout, markers: ping.markers, at: ping.at }, state, pricing).state
  }
}

describe('nextPing', () => {
  it('case 49: a ping keeps what the next request begins with', () => {
    const session = playSession(TEST_PRICING)
    const { blocks } = session.send(layout, 0)
    const { state } = session
    const input = {
      layout,
      state,
      pricing: TEST_PRICING,
      spentUsd: 0,
      options: { keepAlive: { budgetUsd: 1 }, earlier },
      idleSince: 0,
    }
    const ping = nextPing(input)
    expect(ping).toMatchObject({ at: 270 * SECOND, expected: { read: 31_500, write5m: 0, uncached: 0 } })
    expect(ping?.markers.map(({ block }) => block)).toEqual(blocks)

    session.state = serveRequest(
      { layout, markers: ping?.markers ?? [], at: 270 * SECOND },
      state,
      TEST_PRICING,
    ).state
    const next = layoutOf({ tools, system, messages: [...messages, answer('done', 100), user('next', 50)] })
    const hashes = (of: RequestLayout) => ping?.markers.map(({ block }) => of.hashes[block])
    expect(hashes(next)).toEqual(hashes(layout))
    const { blocks: nextBlocks, served } = session.send(next, 569 * SECOND)
    expect(nextBlocks).toContain(ping?.markers.at(-1)?.block)
    expect(served.bill).toMatchObject({ read: 31_500, write5m: 150 })
  })

  it('case 50: pings stop at the budget', () => {
    const each = (31_500 * 0.1) / 1_000_000
    const { pings, spentUsd } = pingsOf(TEST_PRICING, 3.5 * each)
    expect(pings).toHaveLength(3)
    expect(spentUsd).toBeCloseTo(3 * each, 10)
    expect(pingsOf(TEST_PRICING, 0).pings).toHaveLength(0)
    expect(pingsOf(TEST_PRICING, Number.NaN).pings).toHaveLength(0)
  })

  it('sends as many as the pauses before took, and none where the session is expected to have ended', () => {
    expect([5.1, 9.4, 9.6, 14].map((pause) => pingsOf(TEST_PRICING, 100, { pause }).pings.length)).toEqual([
      1, 1, 2, 2,
    ])
    // Two hours are too long.
    expect(pingsOf(TEST_PRICING, 100, { pause: 120 }).pings).toEqual([])
    const session = playSession(TEST_PRICING)
    session.send(layout, 0)
    const input = { layout, state: session.state, pricing: TEST_PRICING, spentUsd: 0, idleSince: 0 }
    const ended = Array.from({ length: 20 }, () => ({ requests: 1, longPauses: [], changes: 0 }))
    const keepAlive = { budgetUsd: 100 }
    expect(
      nextPing({ ...input, options: { keepAlive, earlier: [...sessionsThatPause(14), ...ended] } }),
    ).not.toBeNull()
    expect(nextPing({ ...input, options: { keepAlive, earlier: ended } })).toBeNull()
    expect(nextPing({ ...input, options: { keepAlive } })).toBeNull()
    expect(nextPing({ ...input, options: { earlier } })).toBeNull()
  })

  it('lets a short entry lapse where writing for long is expected to be cheaper than its pings', () => {
    const session = playSession(TEST_PRICING)
    session.send(layout, 0)
    const input = { layout, state: session.state, pricing: TEST_PRICING, spentUsd: 0, idleSince: 0 }
    const options = { keepAlive: { budgetUsd: 100 }, earlier: sessionsThatPause(45) }
    expect(nextPing({ ...input, options })).not.toBeNull()
    expect(nextPing({ ...input, options: { ...options, ttl: 'auto' } })).toBeNull()
  })

  it('stops when the pause has become longer than pings pay for', () => {
    const { pings, spentUsd } = pingsOf(TEST_PRICING, 100)
    expect(pings).toHaveLength(11)
    expect(pings.at(-1)?.at).toBe(11 * 270 * SECOND)
    const rewrite = ((1.25 - 0.1) * 31_500) / 1_000_000
    expect(spentUsd).toBeLessThanOrEqual(rewrite)
  })

  it('pings an hour half a minute before its end', () => {
    const { pings } = pingsOf(TEST_PRICING, 100, { ttl: '1h', pause: 18.3 * 60 })
    expect(pings[0]?.at).toBe(3570 * SECOND)
    expect(pings[0]?.markers.every(({ ttl }) => ttl === '1h')).toBe(true)
    expect(pings).toHaveLength(18)
  })

  it('keeps nothing alive that reading does not keep, that costs as much to read as to write, or that is not held', () => {
    expect(pingsOf({ ...TEST_PRICING, sliding: false }, 100).pings).toEqual([])
    expect(
      pingsOf({ ...TEST_PRICING, read: 0.9, short: { ttl: '5m', seconds: 300, write: 1 } }, 100).pings,
    ).toEqual([])
    expect(pingsOf({ ...TEST_PRICING, minimumTokens: 1_000_000 }, 100).pings).toEqual([])
    expect(pingsOf({ ...TEST_PRICING, matching: 'prefix', maxBreakpoints: 0 }, 100).pings).toEqual([])
  })

  it('does not ping while the answer has not begun', () => {
    const session = playSession(TEST_PRICING)
    const { blocks } = session.send(layout, 0)
    const markers = blocks.map((block) => ({ block, ttl: '5m' as const }))
    const after = (firstTokenMs: number) => {
      const { state } = serveRequest(
        { layout, markers, at: 0, firstTokenMs },
        { ...session.state, entries: [] },
        TEST_PRICING,
      )
      const options = { keepAlive: { budgetUsd: 1 }, earlier }
      return nextPing({ layout, state, pricing: TEST_PRICING, spentUsd: 0, options, idleSince: 0 })?.at
    }
    expect(after(4 * MINUTE)).toBe(270 * SECOND)
    expect(after(280 * SECOND)).toBe(280 * SECOND + 1)
    expect(after(6 * MINUTE)).toBeUndefined()
  })
})
