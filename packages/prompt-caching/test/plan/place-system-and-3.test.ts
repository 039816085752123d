import { describe, expect, it } from 'vitest'
import { EMPTY_CACHE } from '../../src/cache/cache-state.ts'
import { planRequest } from '../../src/plan/plan-request.ts'
import { answer, calls, layoutOf, TEST_PRICING, type TestRequest, user } from '../layouts.ts'

const system = [
  { text: 'system', tokens: 3000 },
  { text: 'note', tokens: 100 },
]
const refsOf = (request: TestRequest, ttl: '5m' | '1h' = '5m') => {
  const options = { strategy: 'system_and_3', ttl } as const
  const { plan } = planRequest({ layout: layoutOf(request), at: 0 }, EMPTY_CACHE, TEST_PRICING, options)
  return plan.breakpoints.map(({ ref, ttl: lifetime }) =>
    ref.at === 'message' ? `${ref.index}.${ref.block} ${lifetime}` : `${ref.at} ${lifetime}`,
  )
}

describe('system_and_3', () => {
  it('marks the end of the system prompt and the last three messages', () => {
    const messages = [user('a', 500), answer('b', 500), user('c', 500), answer('d', 500), user('e', 500)]
    expect(refsOf({ system, messages })).toEqual(['system 5m', '3.0 5m', '4.0 5m', '5.0 5m'])
    expect(refsOf({ system, messages }, '1h')).toEqual(['system 1h', '3.0 1h', '4.0 1h', '5.0 1h'])
  })

  it('takes each tool result for a message of its own', () => {
    expect(refsOf({ system, messages: [user('a', 500), ...calls('many', 5, 100)] })).toEqual([
      'system 5m',
      '5.0 5m',
      '6.0 5m',
      '7.0 5m',
    ])
  })

  it('keeps the system prompt and the latest messages on a route with fewer breakpoints', () => {
    const layout = layoutOf({ system, messages: [user('a', 500), answer('b', 500), user('c', 500)] })
    const counts = [0, 1, 2, 3].map((maxBreakpoints) => {
      const pricing = { ...TEST_PRICING, maxBreakpoints }
      const { plan } = planRequest({ layout, at: 0 }, EMPTY_CACHE, pricing, { strategy: 'system_and_3' })
      return plan.breakpoints.length
    })
    expect(counts).toEqual([0, 1, 2, 3])
  })
})
