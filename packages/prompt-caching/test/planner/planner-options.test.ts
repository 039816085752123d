import { roughTokenCounter as tokens } from '@palimpsest/core'
import { describe, expect, expectTypeOf, it } from 'vitest'
import {
  type AnthropicRequest,
  anthropicWire,
  createCachePlanner,
  createRequestPlanner,
} from '../../src/index.ts'
import { TEST_PRICING } from '../layouts.ts'

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
