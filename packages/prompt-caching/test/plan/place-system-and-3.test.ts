import { describe, expect, it } from 'vitest'
import { EMPTY_CACHE } from '../../src/cache/cache-state.ts'
import { planRequest } from '../../src/plan/plan-request.ts'
import {
  answer,
  calls,
  layoutOf,
  TEST_PRICING,
  type TestMessage,
  type TestRequest,
  user,
} from '../layouts.ts'

const system = [
  { text: 'system', tokens: 3000 },
  { text: 'note', tokens: 100 },
]
const refsOf = (request: TestRequest, ttl: '5m' | '1h' = '5m') => {
  const options = { strategy: 'system_and_3', ttl } as const
  const { plan } = planRequest({ layout: layoutOf(request), at: 0 }, EMPTY_CACHE, TEST_PRICING, options)
  return plan.anchors.map(({ ref, ttl: lifetime }) =>
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

  it('marks the last block of a message that can carry, and one that cannot takes its place all the same', () => {
    const mixed: TestMessage = {
      role: 'user',
      blocks: [
        { text: 'one', tokens: 10 },
        { text: 'two', tokens: 10 },
        { text: '', tokens: 0, carries: false },
      ],
    }
    const empty: TestMessage = { role: 'assistant', blocks: [{ text: '', tokens: 0, carries: false }] }
    const note: TestMessage = { role: 'system', blocks: [{ text: 'note', tokens: 10 }] }
    const messages = [answer('a', 10), mixed, empty, note, user('b', 10)]
    expect(refsOf({ system, messages })).toEqual(['system 5m', '2.1 5m', '5.0 5m'])
    expect(refsOf({ system, messages: [...messages, answer('c', 10)] })).toEqual([
      'system 5m',
      '5.0 5m',
      '6.0 5m',
    ])
  })

  it('marks four messages where there is no system prompt', () => {
    const messages = ['a', 'b', 'c', 'd', 'e'].map((text) => user(text, 500))
    expect(refsOf({ messages })).toEqual(['1.0 5m', '2.0 5m', '3.0 5m', '4.0 5m'])
  })

  it('takes results that share a message for messages, too', () => {
    const results: TestMessage = {
      role: 'user',
      blocks: ['x', 'y', 'z'].map((text) => ({ text, tokens: 100, kind: 'tool-result' as const })),
    }
    const messages = [user('a', 500), answer('b', 500), results, answer('c', 500)]
    expect(refsOf({ system, messages })).toEqual(['system 5m', '3.1 5m', '3.2 5m', '4.0 5m'])
  })

  it('marks tools neither with nor without a system prompt, and what is below the minimum like all else', () => {
    const tools = [{ text: 'tool', tokens: 2000 }]
    expect(refsOf({ tools, messages: [user('a', 1)] })).toEqual(['0.0 5m'])
    expect(refsOf({ system: [{ text: 's', tokens: 1 }], messages: [user('a', 1)] })).toEqual([
      'system 5m',
      '1.0 5m',
    ])
  })

  it('keeps the system prompt and the latest messages on a route with fewer breakpoints', () => {
    const layout = layoutOf({ system, messages: [user('a', 500), answer('b', 500), user('c', 500)] })
    const counts = [0, 1, 2, 3].map((maxBreakpoints) => {
      const pricing = { ...TEST_PRICING, maxBreakpoints }
      const { plan } = planRequest({ layout, at: 0 }, EMPTY_CACHE, pricing, { strategy: 'system_and_3' })
      return plan.anchors.length
    })
    expect(counts).toEqual([0, 1, 2, 3])
  })
})
