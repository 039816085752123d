import { roughTokenCounter as tokens } from '@palimpsest/core'
import { describe, expect, expectTypeOf, it } from 'vitest'
import { type AnthropicRequest, anthropicWire, createRequestPlanner } from '../../src/index.ts'
import { TEST_PRICING } from '../layouts.ts'

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
