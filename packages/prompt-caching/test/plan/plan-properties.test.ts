import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { CacheState } from '../../src/cache/cache-state.ts'
import { isHeld } from '../../src/cache/serve-request.ts'
import type { RequestLayout } from '../../src/layout/request-layout.ts'
import { planRequest } from '../../src/plan/plan-request.ts'
import type { CachePricing } from '../../src/pricing/cache-pricing.ts'
import { layoutOf, TEST_PRICING, type TestBlock, type TestMessage } from '../layouts.ts'
import { playSession, type Sent } from './play-session.ts'

const block: fc.Arbitrary<TestBlock> = fc.record({
  text: fc.string({ maxLength: 4 }),
  tokens: fc.integer({ min: 0, max: 2000 }),
  carries: fc.boolean(),
})
const message: fc.Arbitrary<TestMessage> = fc.record({
  role: fc.constantFrom('user', 'assistant', 'system'),
  blocks: fc.array(block, { maxLength: 3 }),
})
const parallelCalls = fc.record({
  count: fc.integer({ min: 1, max: 14 }),
  tokens: fc.integer({ min: 1, max: 900 }),
})

/** Changes of a conversation before its next request. */
const step = fc.oneof(
  fc.record({
    does: fc.constant('append' as const),
    messages: fc.array(message, { minLength: 1, maxLength: 20 }),
  }),
  fc.record({ does: fc.constant('call' as const), calls: parallelCalls }),
  fc.record({ does: fc.constant('rewind' as const), share: fc.double({ min: 0, max: 1, noNaN: true }) }),
  fc.record({ does: fc.constant('compact' as const), share: fc.double({ min: 0, max: 1, noNaN: true }) }),
  fc.record({ does: fc.constant('nothing' as const) }),
)
type Generated<Source> = Source extends fc.Arbitrary<infer One> ? One : never
type Step = Generated<typeof step>

const sent = fc.record({
  step,
  pauseMs: fc.oneof(fc.integer({ min: 0, max: 60_000 }), fc.integer({ min: 0, max: 7_200_000 })),
  followUp: fc.boolean(),
})

const pricing: fc.Arbitrary<CachePricing> = fc
  .record({
    matching: fc.constantFrom('collapsed' as const, 'per-block' as const, 'exact' as const),
    read: fc.constantFrom(0.025, 0.1, 0.5),
    minimumTokens: fc.constantFrom(0, 1024, 4096),
    maxBreakpoints: fc.integer({ min: 1, max: 4 }),
  })
  .map((part) => ({ ...TEST_PRICING, ...part, lookback: part.matching === 'exact' ? 1 : 20 }))

const session = fc.record({
  pricing,
  options: fc.record({
    strategy: fc.constantFrom('sticky' as const, 'sticky' as const, 'system_and_3' as const),
    ttl: fc.constantFrom('5m' as const, '1h' as const),
  }),
  tools: fc.array(
    block.map(({ text, tokens }) => ({ text, tokens })),
    { maxLength: 3 },
  ),
  system: fc.array(block, { maxLength: 3 }),
  requests: fc.array(sent, { minLength: 1, maxLength: 8 }),
})

function stepped(messages: readonly TestMessage[], change: Step, index: number): TestMessage[] {
  const cut = 'share' in change ? Math.floor(messages.length * change.share) : 0
  if (change.does === 'append') return [...messages, ...change.messages]
  if (change.does === 'rewind') return messages.slice(0, messages.length - cut)
  if (change.does === 'compact') {
    const summary: TestBlock = { text: `summary ${index}`, tokens: 500 }
    return [{ role: 'user', blocks: [summary] }, ...messages.slice(cut)]
  }
  if (change.does === 'nothing') return [...messages]
  const { count, tokens } = change.calls
  const results = Array.from({ length: count }, (_, at): TestMessage => {
    return { role: 'tool', blocks: [{ kind: 'tool-result', text: `${index} ${at}`, tokens }] }
  })
  const uses = results.map((_, at): TestBlock => ({ kind: 'tool-use', text: `${index} ${at}`, tokens: 20 }))
  return [...messages, { role: 'assistant', blocks: uses }, ...results]
}

interface Visited {
  readonly layout: RequestLayout
  readonly at: number
  readonly followUp: boolean
  /** Before the request. */
  readonly state: CacheState
  readonly sent: Sent
}

/** Plays a session and shows each request with the state before it. */
function play(
  { pricing: of, options, tools, system, requests }: Generated<typeof session>,
  visit: (visited: Visited) => void,
): void {
  const played = playSession(of, options)
  let messages: TestMessage[] = [{ role: 'user', blocks: [{ text: 'begin', tokens: 700 }] }]
  let at = 0
  for (const [index, { step: change, pauseMs, followUp }] of requests.entries()) {
    messages = stepped(messages, change, index)
    at += pauseMs
    const layout = layoutOf({ tools, system, messages })
    const { state } = played
    visit({ layout, at, followUp, state, sent: played.send(layout, at, followUp) })
  }
}

describe('plans, for sessions that grow, rewind, compact and pause', () => {
  it('places what the provider accepts', () => {
    let requests = 0
    let breakpoints = 0
    fc.assert(
      fc.property(session, (one) => {
        play(one, ({ layout, sent: { plan, blocks } }) => {
          requests++
          breakpoints += plan.breakpoints.length
          expect(plan.breakpoints.length).toBeLessThanOrEqual(one.pricing.maxBreakpoints)
          expect(blocks).toHaveLength(plan.breakpoints.length)
          expect(new Set(blocks).size).toBe(blocks.length)
          expect(blocks.map((at) => layout.blocks[at]?.ref)).toEqual(plan.breakpoints.map(({ ref }) => ref))
          expect(blocks.every((at) => layout.blocks[at]?.carries)).toBe(true)
          expect(new Set(plan.breakpoints.map(({ ttl }) => ttl)).size).toBeLessThanOrEqual(1)
          if (one.options.strategy === 'sticky')
            expect(blocks.every((at) => (layout.ends[at] ?? 0) >= one.pricing.minimumTokens)).toBe(true)
        })
      }),
      { numRuns: 300 },
    )
    console.log(`${breakpoints} breakpoints on ${requests} requests`)
    expect(breakpoints).toBeGreaterThan(requests / 2)
  })

  it('is pure, and plain data: a round trip through JSON changes nothing', () => {
    fc.assert(
      fc.property(session, (one) => {
        play(one, ({ layout, at, followUp, state, sent: { plan } }) => {
          const before = JSON.stringify(state)
          const restored = JSON.parse(before)
          const again = planRequest({ layout, at, followUp }, restored, one.pricing, one.options)
          expect(again.plan).toEqual(plan)
          expect(JSON.stringify(state)).toBe(before)
          expect(JSON.parse(JSON.stringify(plan))).toEqual(plan)
        })
      }),
      { numRuns: 100 },
    )
  })

  it('expects what the provider then bills, and never to write without a reader', () => {
    fc.assert(
      fc.property(session, (one) => {
        play(one, ({ followUp, sent: { plan, served } }) => {
          expect(served.bill).toEqual(plan.expected)
          if (!followUp && one.options.strategy === 'sticky')
            expect(plan.expected).toMatchObject({ write5m: 0, write1h: 0 })
        })
      }),
      { numRuns: 150 },
    )
  })

  it('sticky reads whatever is held, wherever it ends', () => {
    let reads = 0
    fc.assert(
      fc.property(session, (one) => {
        const sticky = { ...one, options: { ...one.options, strategy: 'sticky' as const } }
        const roomy = { ...sticky, pricing: { ...one.pricing, maxBreakpoints: 4 } }
        play(roomy, ({ layout, at, state, sent: { plan } }) => {
          const held = state.entries
            .filter((entry) => entry.writtenAt < at && layout.hashes[entry.block] === entry.hash)
            .filter((entry) => isHeld(entry, at, roomy.pricing))
            .map(({ tokens }) => tokens)
          expect(plan.expected.read).toBe(Math.max(0, ...held))
          if (plan.expected.read > 0) reads++
        })
      }),
      { numRuns: 150 },
    )
    console.log(`${reads} requests read from the cache`)
    expect(reads).toBeGreaterThan(50)
  })
})
