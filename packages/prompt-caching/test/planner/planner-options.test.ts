import { InvalidOptionError, type Message, roughTokenCounter as tokens } from '@palimpsest/core'
import { describe, expect, expectTypeOf, it } from 'vitest'
import {
  type AnthropicRequest,
  anthropicWire,
  createCachePlanner,
  createRequestPlanner,
  openaiMessagesWire,
} from '../../src/index.ts'
import { TEST_PRICING } from '../layouts.ts'

const messages: Message[] = [
  { role: 'system', content: 'Be exact. '.repeat(4000) },
  { role: 'user', content: 'one '.repeat(4000) },
]

describe('options of a planner', () => {
  it.each<[string, object]>([
    ['pricing', { pricing: 'claude-sonnet-5-5' }],
    ['pricing', { pricing: null }],
    ['pricing', { pricing: { ...TEST_PRICING, matching: 'fuzzy' } }],
    ['tokens', { tokens: undefined }],
    ['tokens', { tokens: { count: () => 1 } }],
    ['ttl', { ttl: '2h' }],
    ['strategy', { strategy: 'stickY' }],
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

  it('may be left out where they have a default', () => {
    const options = { pricing: TEST_PRICING, tokens, wire: openaiMessagesWire('openrouter') }
    expect(createCachePlanner(options).plan({ messages, tools: [] }).anchors).toHaveLength(2)
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
    expect(cache.plan({ messages, tools: [] }).expected.read).toBeGreaterThan(0)
  })
})
