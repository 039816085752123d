import { InvalidOptionError, type Message, roughTokenCounter as tokens } from '@palimpsest/core'
import { describe, expect, expectTypeOf, it } from 'vitest'
import type { SessionPauses } from '../../src/cache/cache-state.ts'
import {
  type AnthropicRequest,
  anthropicWire,
  createCachePlanner,
  createRequestPlanner,
  openaiMessagesWire,
  openaiWire,
} from '../../src/index.ts'
import { TEST_PRICING } from '../layouts.ts'
import { sessionsThatPause } from '../plan/earlier-sessions.ts'

const messages: Message[] = [
  { role: 'system', content: 'Be exact. '.repeat(4000) },
  { role: 'user', content: 'one '.repeat(4000) },
]

describe('options of a planner', () => {
  it.each<[string, object]>([
    ['pricing', { pricing: 'claude-sonnet-5-5' }],
    ['pricing', { pricing: null }],
    ['pricing.matching', { pricing: { ...TEST_PRICING, matching: 'fuzzy' } }],
    ['tokens', { tokens: undefined }],
    ['tokens', { tokens: { count: () => 1 } }],
    ['ttl', { ttl: '2h' }],
    ['strategy', { strategy: 'stickY' }],
    ['pauses', { pauses: {} }],
    ['pauses', { pauses: [null] }],
    ['pauses', { pauses: [{ requests: 3, longPauses: [], changes: Number.NaN }] }],
    ['pauses', { pauses: [{ requests: 3, longPauses: ['8 minutes'], changes: 0 }] }],
    ['keepAlive', { keepAlive: true }],
    ['keepAlive.budgetUsd', { keepAlive: {} }],
    ['keepAlive.budgetUsd', { keepAlive: { budgetUsd: Number.NaN } }],
    ['keepAlive.budgetUsd', { keepAlive: { budgetUsd: -1 } }],
    ['keepAlive.budgetUsd', { keepAlive: { budgetUsd: Number.POSITIVE_INFINITY } }],
  ])('are refused by name: %s', (path, wrong) => {
    const options = { pricing: TEST_PRICING, tokens, wire: anthropicWire, ...wrong }
    for (const create of [createCachePlanner, createRequestPlanner] as ((options: never) => unknown)[])
      expect(() => create(options as never)).toThrow(
        expect.objectContaining({ code: 'INVALID_OPTION', path, message: expect.stringContaining(path) }),
      )
  })

  it('must be options at all', () => {
    expect(() => createCachePlanner(undefined as never)).toThrow(Error)
    expect(() => createCachePlanner({} as never)).toThrow(InvalidOptionError)
  })

  it('may be left out or null where they have a default', () => {
    const options = { pricing: TEST_PRICING, tokens, keepAlive: null, wire: openaiMessagesWire('openrouter') }
    expect(createCachePlanner(options).plan({ messages, tools: [] }).anchors).toHaveLength(2)
    expect(
      createCachePlanner({ ...options, wire: openaiWire }).plan({ messages, tools: [] }).anchors,
    ).toHaveLength(2)
  })
})

describe('settings of a request', () => {
  const clock = { now: () => 0 }

  it('make another prompt of the same messages, for that request', () => {
    const cache = createCachePlanner({ pricing: TEST_PRICING, tokens, clock, settings: { effort: 'low' } })
    const read = (settings?: object) =>
      cache.plan({ messages, tools: [], ...(settings && { settings }) }).expected.read
    expect(read()).toBe(0)
    const all = read()
    expect(all).toBeGreaterThan(0)
    expect(read({ effort: 'high' })).toBeLessThan(all)
    expect(read()).toBe(all)
    expect(read({ effort: 'low' })).toBe(all)
  })

  it('are those of the session also where the format has its own', () => {
    const cache = createCachePlanner({ pricing: TEST_PRICING, tokens, clock, wire: openaiWire })
    const plan = (effort: string) => cache.plan({ messages, tools: [], settings: { effort } }).expected.read
    plan('low')
    expect(plan('high')).toBeLessThan(plan('low'))
  })
})

describe('a marked request', () => {
  it('has the type of the request', () => {
    const planner = createRequestPlanner({ wire: anthropicWire, pricing: TEST_PRICING, tokens })
    const request = {
      model: 'm',
      max_tokens: 10,
      messages: [{ role: 'user' as const, content: 'one '.repeat(9000) }],
      metadata: { user_id: 'someone' },
    }
    const { request: marked } = planner.mark(request)
    expectTypeOf(marked).toEqualTypeOf<typeof request>()
    expectTypeOf(marked).toExtend<AnthropicRequest>()
    expect(marked.metadata).toEqual({ user_id: 'someone' })
    expect(JSON.stringify(marked)).toContain('cache_control')
  })
})

describe('a clock', () => {
  it('that says no time stands still', () => {
    const times = [1000, Number.NaN, Number.NaN, 2000]
    const clock = { now: () => times.shift() ?? Number.NaN }
    const cache = createCachePlanner({ pricing: TEST_PRICING, tokens, clock })
    for (let request = 0; request < 4; request++) cache.plan({ messages, tools: [] })
    expect(cache.state.lastStart).toBe(2000)
    expect(cache.state.pauses).toEqual([1, 1, 998])
    expect(cache.plan({ messages, tools: [] }).expected.read).toBeGreaterThan(0)
  })
})

describe('a late ping', () => {
  it('is due now while there is something to keep, and none when that has lapsed', () => {
    let now = 0
    const clock = { now: () => now }
    const cache = createCachePlanner({
      pricing: TEST_PRICING,
      tokens,
      clock,
      keepAlive: { budgetUsd: 1 },
      pauses: sessionsThatPause(52),
    })
    cache.plan({ messages, tools: [] })
    expect(cache.nextPing()?.at).toBe(270_000)
    now = 290_000
    expect(cache.nextPing()?.at).toBe(290_000)
    now = 301_000
    expect(cache.nextPing()).toBeNull()
  })
})

describe('the pauses of earlier sessions', () => {
  it('are learnt by the planners that share a list, which is plain data and has each session once', () => {
    let now = 0
    const clock = { now: () => now }
    const pauses: SessionPauses[] = []
    const open = (list: SessionPauses[]) =>
      createCachePlanner({ pricing: TEST_PRICING, tokens, clock, ttl: 'auto', pauses: list })
    const first = open(pauses)
    const second = open(pauses)
    for (let request = 0; request < 6; request++) {
      first.plan({ messages, tools: [] })
      second.plan({ messages, tools: [] })
      now += 6 * 60_000
    }
    expect(pauses).toHaveLength(2)
    expect(pauses[1]).toEqual({ requests: 6, longPauses: Array(5).fill(360_000), changes: 0 })
    first.reset()
    first.plan({ messages, tools: [] })
    expect(pauses.map(({ requests }) => requests)).toEqual([6, 6, 1])

    const ttls = (list: SessionPauses[]) =>
      open(list)
        .plan({ messages, tools: [] })
        .anchors.map(({ ttl }) => ttl)
    expect(new Set(ttls(JSON.parse(JSON.stringify(pauses))))).toEqual(new Set(['1h']))
    expect(new Set(ttls([]))).toEqual(new Set(['5m']))
    for (let session = 0; session < 150; session++) open(pauses).plan({ messages, tools: [] })
    expect(pauses).toHaveLength(100)
  })
})
