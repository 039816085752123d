import { describe, expect, it } from 'vitest'
import { EMPTY_CACHE } from '../../src/cache/cache-state.ts'
import { planRequest } from '../../src/plan/plan-request.ts'
import {
  answer,
  calls,
  layoutOf,
  TEST_PRICING,
  type TestBlock,
  type TestMessage,
  type TestRequest,
  user,
} from '../layouts.ts'
import { matchingPricings, playSession } from './play-session.ts'

const SECOND = 1000
const tools: TestBlock[] = [
  { text: 'read', tokens: 1500 },
  { text: 'write', tokens: 1500 },
]
const system: TestBlock[] = [{ text: 'system', tokens: 4000 }]
const request = (messages: TestMessage[], rest: Partial<TestRequest> = {}) =>
  layoutOf({ tools, system, messages, ...rest })
const planOf = (...input: Parameters<typeof planRequest>) => planRequest(...input).plan
const reasonsOf = ({ anchors }: { anchors: readonly { reason: string }[] }) =>
  anchors.map(({ reason }) => reason)

describe('sticky', () => {
  it('case 1: at most four breakpoints over tools, system prompt and messages', () => {
    const session = playSession({ ...TEST_PRICING, matching: 'per-block' })
    const messages = [user('ask', 500), ...calls('a', 12, 200)]
    const first = session.send(request(messages), 0).plan
    messages.push(...calls('b', 12, 200), answer('done', 100), user('more', 100))
    const second = session.send(request(messages), 20 * SECOND).plan
    expect(first.anchors.map(({ ref }) => ref.at)).toEqual(['tool', 'system', 'message', 'message'])
    expect(reasonsOf(first)).toEqual(['static-head', 'static-head', 'midpoint', 'tail'])
    expect(second.anchors.map(({ ref }) => ref.at)).toEqual(['system', 'message', 'message', 'message'])
    expect(reasonsOf(second)).toEqual(['static-head', 'sticky', 'midpoint', 'tail'])
  })

  it('case 16: over budget the middle goes first, never tail or head', () => {
    const reasons = [4, 3, 2].map((maxBreakpoints) => {
      const session = playSession({ ...TEST_PRICING, maxBreakpoints })
      const messages = [user('ask', 500)]
      session.send(request(messages), 0)
      messages.push(...Array.from({ length: 20 }, (_, index) => answer(`step ${index}`, 300)))
      return reasonsOf(session.send(request(messages), 20 * SECOND).plan)
    })
    expect(reasons).toEqual([
      ['static-head', 'sticky', 'midpoint', 'tail'],
      ['static-head', 'sticky', 'tail'],
      ['static-head', 'tail'],
    ])
  })

  it('a summary that grows at its end keeps what it had in the cache', () => {
    const summaryOf = (...texts: string[]): TestMessage => ({
      role: 'user',
      blocks: [...texts, 'end of the frame'].map((text) => ({ text, tokens: 2000, isSummary: true })),
    })
    const session = playSession(TEST_PRICING)
    session.send(request([summaryOf('one', 'two'), answer('a', 500), user('b', 500)]), 0)
    const { plan } = session.send(
      request([summaryOf('one', 'two', 'three'), answer('c', 500), user('d', 500)]),
      SECOND,
    )
    expect(reasonsOf(plan)).toEqual(['static-head', 'sticky', 'boundary', 'tail'])
    // Head, and the two texts that stand as they were.
    expect(plan.expected.read).toBe(3000 + 4000 + 4000)
  })

  it('a prompt that changes near its beginning with each request is not written again and again', () => {
    const session = playSession(TEST_PRICING)
    const uncached = playSession(TEST_PRICING, { strategy: 'off' })
    const tokens = 3000 + 4000 + 60_000
    const bills = Array.from({ length: 40 }, (_, turn) => {
      const layout = request([
        user(`block of turn ${turn}`, 30_000),
        answer('same', 100),
        user('rest', 29_900),
      ])
      uncached.send(layout, turn * 20 * SECOND)
      return session.send(layout, turn * 20 * SECOND).plan.expected
    })
    // The head was read once and three requests found nothing more; from then on one of eight tries again.
    expect(bills.filter(({ write5m }) => write5m > 50_000)).toHaveLength(5 + 4)
    expect(bills.slice(1).every(({ read }) => read === 7000)).toBe(true)
    expect(session.usd).toBeLessThan(uncached.usd)
    // When the beginning stays, the next try finds it out.
    const settled = request([user('block', 30_000), answer('same', 100), user('rest', 29_900)])
    const reads = Array.from(
      { length: 10 },
      (_, turn) => session.send(settled, (40 + turn) * 20 * SECOND).plan.expected.read,
    )
    expect(reads.at(-1)).toBe(tokens)
  })

  it('case 19: a head below the minimum frees its slot', () => {
    const small = { tools: [{ text: 'tool', tokens: 100 }], system: [{ text: 'short', tokens: 300 }] }
    const messages = [
      user('ask', 500),
      ...Array.from({ length: 20 }, (_, index) => answer(`step ${index}`, 300)),
    ]
    const { anchors } = planOf({ layout: request(messages, small), at: 0 }, EMPTY_CACHE, TEST_PRICING)
    expect(anchors.map(({ reason }) => reason)).toEqual(['midpoint', 'tail'])
    const tiny = planOf({ layout: request([user('hi', 10)], small), at: 0 }, EMPTY_CACHE, TEST_PRICING)
    expect(tiny).toMatchObject({ anchors: [], expected: { uncached: 410 }, repairs: [] })
  })

  it('case 20: a request without a follow-up writes nothing, and reads what is there', () => {
    const layout = request([user('ask', 2000)])
    const cold = planOf({ layout, at: 0, followUp: false }, EMPTY_CACHE, TEST_PRICING)
    expect(cold).toMatchObject({ anchors: [], expected: { write5m: 0, uncached: 9000 } })
    const session = playSession(TEST_PRICING)
    session.send(layout, 0)
    const longer = request([user('ask', 2000), answer('answer', 500), user('summarise', 100)])
    const { plan } = session.send(longer, SECOND, false)
    expect(reasonsOf(plan)).not.toContain('tail')
    expect(plan.expected).toMatchObject({ read: 9000, write5m: 0, write1h: 0, uncached: 600 })
  })

  it.each(matchingPricings(TEST_PRICING))(
    'case 21: the previous tail is marked again after 12 parallel calls: $matching',
    (pricing) => {
      const session = playSession(pricing)
      const messages = [user('ask', 500)]
      const first = session.send(request(messages), 0)
      messages.push(...calls('search', 12, 200))
      const second = session.send(request(messages), 20 * SECOND)
      expect(second.blocks).toContain(first.blocks.at(-1))
      expect(second.served.bill).toMatchObject({ read: 7500, write5m: 4800, uncached: 0 })
    },
  )

  it.each(matchingPricings(TEST_PRICING))(
    'case 22: the previous tail is marked again at turns of the user: $matching',
    (pricing) => {
      const session = playSession(pricing)
      const messages = [user('ask', 500), ...calls('look', 3, 200)]
      session.send(request(messages), 0)
      messages.push(answer('found', 700), user('and now?', 50))
      const { plan, served } = session.send(request(messages), 60 * SECOND)
      expect(reasonsOf(plan)).toContain('sticky')
      expect(served.bill).toMatchObject({ read: 8700, write5m: 750, uncached: 0 })
    },
  )

  it.each(matchingPricings(TEST_PRICING))(
    'case 23: a rewind reads up to where it goes back: $matching',
    (pricing) => {
      const session = playSession(pricing)
      const messages = [user('ask', 500)]
      session.send(request(messages), 0)
      const early = [...messages, answer('plan A', 400), user('go', 50)]
      session.send(request(early), 20 * SECOND)
      session.send(
        request([...early, ...calls('try', 12, 300), answer('failed', 100), user('hm', 20)]),
        40 * SECOND,
      )
      const rewound = [...early, answer('plan B', 400), user('better', 60)]
      const { served } = session.send(request(rewound), 60 * SECOND)
      expect(served.bill).toMatchObject({ read: 7950, write5m: 460, uncached: 0 })
    },
  )

  it.each(matchingPricings(TEST_PRICING))(
    'case 24: after a compaction the head is read, and later its summary too: $matching',
    (pricing) => {
      const session = playSession(pricing)
      const long = [user('ask', 500), ...calls('work', 12, 900), user('next', 100)]
      session.send(request(long), 0)
      const summary: TestMessage = {
        role: 'user',
        blocks: [{ text: 'summary of the work', tokens: 1000, isSummary: true }],
      }
      const compacted = [summary, answer('last', 600), user('next', 100)]
      const after = session.send(request(compacted), 20 * SECOND)
      expect(after.served.bill).toMatchObject({ read: 7000, write5m: 1700 })
      expect(reasonsOf(after.plan)).toEqual(['static-head', 'static-head', 'boundary', 'tail'])
      session.send(request([...compacted, ...calls('more', 12, 900)]), 40 * SECOND)
      // The engine appends a summary: what stands behind the first one is replaced.
      const again: TestMessage = {
        role: 'user',
        blocks: [{ text: 'more work', tokens: 800, isSummary: true }],
      }
      const { plan, served } = session.send(request([summary, again, user('and?', 50)]), 60 * SECOND)
      expect(served.bill).toMatchObject({ read: 8000, write5m: 850, uncached: 0 })
      expect(plan.anchors.find(({ reason }) => reason === 'boundary')?.ref).toEqual({
        at: 'message',
        index: 2,
        block: 0,
      })
    },
  )

  it('case 27: a midpoint at the end of a message when more than 15 positions are new', () => {
    const steps = (count: number) => Array.from({ length: count }, (_, index) => answer(`step ${index}`, 300))
    const reasons = [15, 16].map((count) => {
      const session = playSession(TEST_PRICING)
      session.send(request([user('ask', 500)]), 0)
      return reasonsOf(session.send(request([user('ask', 500), ...steps(count)]), SECOND).plan)
    })
    expect(reasons[0]).toEqual(['static-head', 'static-head', 'sticky', 'tail'])
    expect(reasons[1]).toEqual(['static-head', 'sticky', 'midpoint', 'tail'])
  })

  it('counts a run of parallel calls as one position where the provider does', () => {
    const counts = matchingPricings(TEST_PRICING).map((pricing) => {
      const session = playSession(pricing)
      session.send(request([user('ask', 500)]), 0)
      const { plan } = session.send(request([user('ask', 500), ...calls('many', 12, 100)]), SECOND)
      return reasonsOf(plan).includes('midpoint')
    })
    expect(counts).toEqual([false, true, true])
  })

  it('finds the static part of the system prompt before a note that an engine appended', () => {
    const session = playSession(TEST_PRICING)
    const noted = (note: string) => ({ system: [...system, { text: note, tokens: 60 }] })
    session.send(request([user('ask', 500)], noted('note 1')), 0)
    const { served } = session.send(request([user('ask', 500)], noted('note 2')), SECOND)
    expect(served.bill).toMatchObject({ read: 7000, write5m: 560 })
  })

  it('reads the tools when the system prompt changed', () => {
    const session = playSession({ ...TEST_PRICING, matching: 'exact', lookback: 1 })
    session.send(request([user('ask', 500)]), 0)
    const changed = { system: [{ text: 'another system prompt', tokens: 4000 }] }
    const { plan, served } = session.send(request([user('ask', 500)], changed), SECOND)
    expect(served.bill).toMatchObject({ read: 3000, write5m: 4500 })
    expect(plan.anchors[0]).toEqual({ ref: { at: 'tool', index: 1 }, ttl: '5m', reason: 'sticky' })
  })

  it('marks the last block that can carry a breakpoint when thinking or an empty text stands last', () => {
    const thinking: TestMessage = {
      role: 'assistant',
      blocks: [{ text: 'hm', tokens: 300, carries: false }],
    }
    const empty: TestMessage = { role: 'user', blocks: [{ text: '', tokens: 0, carries: false }] }
    const { anchors } = planOf(
      { layout: request([user('ask', 500), thinking, empty]), at: 0 },
      EMPTY_CACHE,
      TEST_PRICING,
    )
    expect(anchors.at(-1)).toMatchObject({ ref: { at: 'message', index: 1, block: 0 }, reason: 'tail' })
  })

  it('says so when nothing can carry a breakpoint', () => {
    const huge: TestMessage = { role: 'user', blocks: [{ text: 'opaque', tokens: 90_000, carries: false }] }
    const plan = planOf({ layout: layoutOf({ messages: [huge] }), at: 0 }, EMPTY_CACHE, TEST_PRICING)
    expect(plan).toMatchObject({ anchors: [], expected: { uncached: 90_000 } })
    expect(plan.repairs).toEqual([
      {
        rule: 'no-carrier',
        message: 'Nothing in this request can carry a breakpoint, so none of its 90000 tokens are cached.',
      },
    ])
  })

  it('marks nothing where the provider caches by itself, and expects what it reads', () => {
    const automatic = { ...TEST_PRICING, matching: 'prefix', maxBreakpoints: 0 } as const
    const billOf = (write: number) => {
      const session = playSession({ ...automatic, short: { ...TEST_PRICING.short, write } })
      session.send(request([user('ask', 500)]), 0)
      return session.send(request([user('ask', 500), answer('yes', 100)]), SECOND).plan
    }
    expect(billOf(1)).toMatchObject({ anchors: [], expected: { read: 7500, uncached: 100 }, repairs: [] })
    expect(billOf(1.25).expected).toMatchObject({ read: 7500, write5m: 100, uncached: 0 })
  })

  it('marks nothing when it is off, and nothing in an empty request', () => {
    const layout = request([user('ask', 500)])
    expect(planOf({ layout, at: 0 }, EMPTY_CACHE, TEST_PRICING, { strategy: 'off' })).toMatchObject({
      anchors: [],
      expected: { uncached: 7500 },
      repairs: [],
    })
    const empty = planOf({ layout: layoutOf({ messages: [] }), at: 0 }, EMPTY_CACHE, TEST_PRICING)
    expect(empty).toMatchObject({ anchors: [], expected: { usd: 0 }, repairs: [] })
  })
})
