import fc from 'fast-check'
import type { CacheRequest, Marker } from '../../src/cache/cache-state.ts'
import type { RequestLayout } from '../../src/layout/request-layout.ts'
import type { CacheMatching, CachePricing } from '../../src/pricing/cache-pricing.ts'
import { layoutOf, TEST_PRICING, type TestBlock, type TestMessage, type TestRequest } from '../layouts.ts'

/** A request with its breakpoints, and the pings behind it. */
export interface RandomRequest extends CacheRequest {
  readonly pings: readonly CacheRequest[]
}

export interface RandomSession {
  readonly pricing: CachePricing
  readonly requests: readonly RandomRequest[]
}

const { long = TEST_PRICING.short } = TEST_PRICING

/** Cheap and dear reading, with and without a long lifetime, minimums and tiers that small requests can reach. */
export const pricings: fc.Arbitrary<CachePricing> = fc
  .record({
    matching: fc.constantFrom<CacheMatching>('collapsed', 'per-block', 'exact', 'prefix'),
    read: fc.constantFrom(0.025, 0.05, 0.1, 0.2, 0.5, 1),
    short: fc.constantFrom(1, 1.25).map((write) => ({ ...TEST_PRICING.short, write })),
    hasLong: fc.boolean(),
    tiers: fc.constantFrom<CachePricing['tiers']>(
      [],
      [{ above: 1500, factor: 5 }],
      [
        { above: 800, factor: 2 },
        { above: 3000, factor: 3 },
      ],
    ),
    minimumTokens: fc.constantFrom(0, 300, 1024),
    maxBreakpoints: fc.constantFrom(1, 4, 4, 4),
    lookback: fc.constantFrom(2, 20),
    sliding: fc.boolean(),
  })
  .map(({ hasLong, ...rest }) => {
    const { long: _, ...base } = TEST_PRICING
    return { ...base, ...rest, ...(hasLong && { long }) }
  })

const pause = fc.oneof(
  fc.constantFrom(0, 1, 1000, 20_000, 299_000, 300_000, 300_001, 301_000, 600_000, 3_600_000, 3_600_001),
  fc.integer({ min: 0, max: 8_000_000 }),
)

/** Changes of the conversation before the next request. */
type Step = (request: TestRequest, name: string) => TestRequest

const tokens = fc.constantFrom(1, 10, 100, 300, 1000)

const steps: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: fc.array(message(), { minLength: 0, maxLength: 5 }).map(append) },
  { weight: 1, arbitrary: fc.nat(20).map(rewind) },
  { weight: 1, arbitrary: fc.constant<Step>((request, name) => ({ ...request, settings: { model: name } })) },
  { weight: 1, arbitrary: fc.nat(6).map(compact) },
  {
    weight: 1,
    arbitrary: tokens.map(
      (size): Step =>
        (request, name) => ({ ...request, system: [{ text: name, tokens: size }] }),
    ),
  },
)

function message(): fc.Arbitrary<(name: string) => TestMessage> {
  const block = fc.record({
    tokens,
    kind: fc.constantFrom<NonNullable<TestBlock['kind']>>('text', 'tool-use', 'tool-result', 'thinking'),
  })
  return fc.array(block, { minLength: 1, maxLength: 4 }).map((blocks) => (name) => ({
    role: 'assistant',
    blocks: blocks.map((each, index) => ({ ...each, text: `${name} ${index}` })),
  }))
}

function append(made: readonly ((name: string) => TestMessage)[]): Step {
  return (request, name) => ({
    ...request,
    messages: [...request.messages, ...made.map((make, index) => make(`${name} ${index}`))],
  })
}

function rewind(count: number): Step {
  return (request) => ({ ...request, messages: request.messages.slice(0, count) })
}

function compact(kept: number): Step {
  return (request, name) => ({
    ...request,
    messages: [
      { role: 'user', blocks: [{ text: `summary ${name}`, tokens: 50, isSummary: true }] },
      ...request.messages.slice(request.messages.length - kept),
    ],
  })
}

/** A sequence of layouts of one conversation, with times. */
export const sessions: fc.Arbitrary<readonly { readonly layout: RequestLayout; readonly at: number }[]> = fc
  .array(fc.record({ step: steps, pause }), { minLength: 1, maxLength: 12 })
  .map((made) => {
    let request: TestRequest = {
      tools: [{ text: 'tool', tokens: 200 }],
      system: [{ text: 'system', tokens: 300 }],
      messages: [],
    }
    let at = 1_000_000
    return made.map(({ step, pause: waited }, index) => {
      request = step(request, `step ${index}`)
      at += waited
      return { layout: layoutOf(request), at }
    })
  })

/** As many breakpoints as the pricing allows, anywhere where one can stand, long lifetimes before short ones. */
function markersOn(layout: RequestLayout, pricing: CachePricing): fc.Arbitrary<readonly Marker[]> {
  const carriers = layout.blocks.flatMap(({ carries }, index) => (carries ? [index] : []))
  if (carriers.length === 0) return fc.constant([])
  return fc
    .record({
      blocks: fc.uniqueArray(fc.oneof(fc.constantFrom(...carriers), fc.constantFrom(...carriers.slice(-3))), {
        maxLength: pricing.maxBreakpoints,
      }),
      longs: fc.nat(4),
    })
    .map(({ blocks, longs }) =>
      blocks
        .sort((a, b) => a - b)
        .map((block, index): Marker => ({ block, ttl: pricing.long && index < longs ? '1h' : '5m' })),
    )
}

/** Sessions with random breakpoints, and with random pings in their pauses. */
export const markedSessions: fc.Arbitrary<RandomSession> = fc
  .tuple(pricings, sessions)
  .chain(([pricing, session]) => {
    const requests = session.map(({ layout, at }, index) => {
      const until = session[index + 1]?.at ?? at
      const ping = fc
        .tuple(markersOn(layout, pricing), fc.integer({ min: at, max: until }))
        .map(([markers, when]) => ({ layout, markers, at: when }))
      return fc.record({
        layout: fc.constant(layout),
        at: fc.constant(at),
        markers: markersOn(layout, pricing),
        firstTokenMs: fc.constantFrom(0, 0, 2000, 400_000),
        pings: fc.array(ping, { maxLength: 3 }).map((made) => made.sort((a, b) => a.at - b.at)),
      })
    })
    return fc.tuple(...requests).map((made) => ({ pricing, requests: made }))
  })
