import type { CacheBill } from '@palimpsest/core'
import { describe, expect, it } from 'vitest'
import { type CacheRequest, EMPTY_CACHE, type Marker } from '../../src/cache/cache-state.ts'
import { serveRequest } from '../../src/cache/serve-request.ts'
import type { RequestLayout } from '../../src/layout/request-layout.ts'
import type { CachePricing } from '../../src/pricing/cache-pricing.ts'
import {
  answer,
  calls,
  layoutOf,
  TEST_PRICING,
  type TestMessage,
  type TestRequest,
  user,
} from '../layouts.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
const PER_BLOCK: CachePricing = { ...TEST_PRICING, matching: 'per-block' }
const EXACT: CachePricing = { ...TEST_PRICING, matching: 'exact', lookback: 1 }
const { long: _, ...SHORT_ONLY } = TEST_PRICING
const DEEPSEEK: CachePricing = {
  ...SHORT_ONLY,
  ...{ matching: 'prefix', read: 0.02, minimumTokens: 64, maxBreakpoints: 0 },
  short: { ttl: '1h', seconds: 3600, write: 1 },
}
const system = [{ text: 'system', tokens: 2000 }]

/** `count` messages of 200 tokens. */
function conversation(count: number): TestMessage[] {
  return Array.from({ length: count }, (_, index) => user(`message ${index}`, 200))
}

/** A breakpoint on the block of a message, and at the end of the system prompt. */
function on({ blocks }: RequestLayout, index: number, ttl: Marker['ttl'] = '5m'): Marker {
  return { block: blocks.findIndex(({ ref }) => ref.at === 'message' && ref.index === index), ttl }
}
function onSystem({ blocks }: RequestLayout, ttl: Marker['ttl'] = '5m'): Marker {
  return { block: blocks.findLastIndex(({ ref }) => ref.at === 'system'), ttl }
}
function tail({ blocks }: RequestLayout): Marker {
  return { block: blocks.length - 1, ttl: '5m' }
}

function bills(requests: readonly CacheRequest[], pricing = TEST_PRICING): CacheBill[] {
  let state = EMPTY_CACHE
  return requests.map((request) => {
    const served = serveRequest(request, state, pricing)
    state = served.state
    return served.bill
  })
}

/** Tokens read by each request, with a breakpoint at the end of each. */
function reads(requests: readonly Omit<CacheRequest, 'markers'>[], pricing = TEST_PRICING): number[] {
  const marked = requests.map((request) => ({ ...request, markers: [tail(request.layout)] }))
  return bills(marked, pricing).map(({ read }) => read)
}

describe('how far a breakpoint looks back', () => {
  const ten = layoutOf({ messages: conversation(10) })

  it('case 25: written at block 10, found from 15, missed from 35 unless 15 is marked again', () => {
    const fifteen = layoutOf({ messages: conversation(15) })
    const far = layoutOf({ messages: conversation(35) })
    const before = [
      { layout: ten, markers: [on(ten, 9)], at: 0 },
      { layout: fifteen, markers: [on(fifteen, 14)], at: SECOND },
    ]
    const read = (...markers: Marker[]) =>
      bills([...before, { layout: far, markers, at: 2 * SECOND }]).map((bill) => bill.read)
    expect(read(on(far, 34))).toEqual([0, 2000, 0])
    expect(read(on(far, 14), on(far, 34))).toEqual([0, 2000, 3000])
  })

  it.each([
    [18, 2000],
    [19, 2000],
    [20, 0],
  ])('case 26: %i positions behind what is cached, %i tokens are read', (distance, read) => {
    const later = layoutOf({ messages: conversation(10 + distance) })
    const requests = [ten, later].map((layout, index) => ({ layout, at: index * SECOND }))
    expect(reads(requests, TEST_PRICING)[1]).toBe(read)
    expect(reads(requests, PER_BLOCK)[1]).toBe(read)
  })

  it('case 28: twelve parallel calls and their results are two positions on the Claude API, 24 elsewhere', () => {
    const messages = conversation(10)
    const requests = [messages, [...messages, ...calls('call', 12, 50)]].map((made, index) => {
      return { layout: layoutOf({ messages: made }), at: index * SECOND }
    })
    expect([TEST_PRICING, PER_BLOCK, EXACT].map((pricing) => reads(requests, pricing)[1])).toEqual([
      2000, 0, 0,
    ])
  })

  it('finds nothing below the minimum, and writes nothing there', () => {
    const [five, six] = [5, 6].map((count) => layoutOf({ messages: conversation(count) }))
    if (five === undefined || six === undefined) throw new Error('no layout')
    const short = [0, 1, 2].map((second) => ({ layout: five, markers: [tail(five)], at: second * SECOND }))
    const longer = { layout: six, markers: [on(six, 4), on(six, 5)], at: 3 * SECOND }
    const all = bills([...short, longer])
    expect(all.map(({ read }) => read)).toEqual([0, 0, 0, 0])
    expect(all.at(-1)).toMatchObject({ write5m: 1200 })
  })
})

describe('how long it lives', () => {
  const layout = layoutOf({ messages: conversation(10) })
  const at = (...seconds: number[]) => seconds.map((second) => ({ layout, at: second * SECOND }))

  it('case 30: time counts from the start of a request', () => {
    expect(reads(at(0, 299))[1]).toBe(2000)
    expect(reads(at(0, 301))[1]).toBe(0)
  })

  it('case 31: reading keeps it for another lifetime: 299 s hit, 301 s miss', () => {
    expect(reads(at(0, 299, 598, 598 + 301))).toEqual([0, 2000, 2000, 0])
  })

  it('case 32: twins that start together both write', () => {
    expect(reads(at(0, 0, 3))).toEqual([0, 0, 2000])
  })

  it('what every request reads outlives a hundred tails behind it', () => {
    const requests = Array.from({ length: 100 }, (_, index): CacheRequest => {
      const each = layoutOf({ system, messages: [user(`question ${index}`, 100)] })
      return { layout: each, markers: [onSystem(each), tail(each)], at: index * SECOND }
    })
    const head = layoutOf({ system, messages: [] })
    const last = { layout: head, markers: [onSystem(head)], at: 101 * SECOND }
    expect(bills([...requests, last]).at(-1)).toMatchObject({ read: 2000 })
  })

  it('cases 28 and 31: reading keeps alive what was hit and what is marked, and nothing between', () => {
    const messages = Array.from({ length: 6 }, (_, index) => user(`message ${index}`, 1000))
    const long = layoutOf({ system, messages })
    const end = long.blocks.length - 1
    const marked = (second: number, ...blocks: number[]) => ({
      layout: long,
      markers: blocks.map((block) => ({ block, ttl: '5m' as const })),
      at: second * SECOND,
    })
    const before = [marked(0, end - 5, end - 3, end), marked(200, end - 5, end)]
    const read = (block: number) => bills([...before, marked(400, block)]).at(-1)?.read
    expect(read(end)).toBe(long.ends[end])
    expect(read(end - 3)).toBe(long.ends[end - 5])
  })

  it('short prompts do not push out a long one where the provider caches by itself', () => {
    const short = Array.from({ length: 5 }, (_, index) =>
      layoutOf({ messages: [user(`short ${index}`, 100)] }),
    )
    const requests = [layout, ...short, layout].map((each, index) => {
      return { layout: each, markers: [], at: index * SECOND }
    })
    expect(bills(requests, { ...DEEPSEEK, minimumTokens: 1024 }).at(-1)?.read).toBe(2000)
  })
})

describe('what loses the cache', () => {
  const tools = ['a', 'b', 'c'].map((text) => ({ text, tokens: 400 }))
  const request: TestRequest = { tools, system, messages: conversation(10) }

  it.each<[what: string, after: TestRequest, read: number]>([
    ['nothing', request, 5200],
    ['case 33: another order of the tools', { ...request, tools: tools.toReversed() }, 0],
    ['another system prompt', { ...request, system: [{ text: 'other', tokens: 2000 }] }, 0],
    ['another first message', { ...request, messages: [user('x', 200), ...conversation(9)] }, 3200],
  ])('%s', (_, after, read) => {
    const made = [request, after].map((each, index): CacheRequest => {
      const layout = layoutOf(each)
      return { layout, markers: [onSystem(layout), tail(layout)], at: index * SECOND }
    })
    expect(bills(made)[1]?.read).toBe(read)
  })

  it('case 38: a clock in the system prompt means that nothing is ever read', () => {
    const requests = Array.from({ length: 10 }, (_, index): CacheRequest => {
      const clock = [{ text: `It is 12:0${index}.`, tokens: 1200 }]
      const layout = layoutOf({ system: clock, messages: conversation(5 + index) })
      return { layout, markers: [onSystem(layout), tail(layout)], at: index * MINUTE }
    })
    for (const [index, { read, write5m }] of bills(requests).entries())
      expect([read, write5m]).toEqual([0, requests[index]?.layout.tokens])
  })

  it('cases 40 and 41: on exact boundaries, what was cached elsewhere or extended is not found', () => {
    const layout = layoutOf({ system, messages: conversation(10) })
    const implicit = { layout, markers: [on(layout, 10)], at: 0 }
    const explicit = { layout, markers: [onSystem(layout)], at: SECOND }
    const both = { layout, markers: [onSystem(layout), on(layout, 10)], at: 2 * SECOND }
    expect(bills([implicit, explicit, both], EXACT).map(({ read, write5m }) => [read, write5m])).toEqual([
      [0, 4000],
      [0, 2000],
      [4000, 0],
    ])
  })
})

describe('what is billed', () => {
  it('case 29: reads to A, writes for an hour to B, for five minutes to C, and the rest is plain input', () => {
    const first = layoutOf({ system, messages: [user('a', 300)] })
    const messages = [user('a', 300), answer('b', 500), user('c', 700), answer('d', 110)]
    const second = layoutOf({ system, messages })
    const [before, after] = bills([
      { layout: first, markers: [onSystem(first, '1h')], at: 0 },
      {
        layout: second,
        markers: [onSystem(second, '1h'), on(second, 2, '1h'), on(second, 3, '5m')],
        at: MINUTE,
      },
    ])
    expect(before).toMatchObject({ read: 0, write1h: 2000, write5m: 0, uncached: 300 })
    // What Anthropic reports for the same request.
    expect(after).toMatchObject({ read: 2000, write1h: 800, write5m: 700, uncached: 110 })
    expect(after?.usd).toBeCloseTo((2000 * 0.1 + 800 * 2 + 700 * 1.25 + 110) / 1e6, 12)
  })

  it('case 39: one token above 100,000 makes a request of Haiku 5.5 five times as dear', () => {
    const haiku: CachePricing = { ...TEST_PRICING, input: 0.1, tiers: [{ above: 100_000, factor: 5 }] }
    const usd = (tokens: number) =>
      bills([{ layout: layoutOf({ messages: [user('a', tokens)] }), markers: [], at: 0 }], haiku)[0]?.usd
    expect(usd(100_000)).toBeCloseTo(0.01, 12)
    expect(usd(100_001)).toBeCloseTo(0.0500005, 12)
  })

  it('case 43: DeepSeek divides a prompt into what it hits and what it misses', () => {
    const requests = [5, 10, 20].map((count, index) => ({
      layout: layoutOf({ messages: conversation(count) }),
      markers: [],
      at: index * MINUTE,
    }))
    const classes = bills(requests, DEEPSEEK).map(({ read, uncached, write5m }) => [read, uncached, write5m])
    expect(classes).toEqual([
      [0, 1000, 0],
      [1000, 1000, 0],
      [2000, 2000, 0],
    ])
  })
})
