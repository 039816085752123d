import type { CacheBill } from '@palimpsest/core'
import { describe, expect, it } from 'vitest'
import { type CacheRequest, EMPTY_CACHE, type Marker } from '../../src/cache/cache-state.ts'
import { serveRequest } from '../../src/cache/serve-request.ts'
import type { RequestLayout } from '../../src/layout/request-layout.ts'
import { answer, layoutOf, TEST_PRICING, type TestMessage, type TestRequest, user } from '../layouts.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
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

  it('case 31: reading keeps it for another lifetime: 299 s hit, 301 s miss', () => {
    expect(reads(at(0, 299, 598, 598 + 301))).toEqual([0, 2000, 2000, 0])
  })

  it('case 32: twins that start together both write', () => {
    expect(reads(at(0, 0, 3))).toEqual([0, 0, 2000])
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
})
