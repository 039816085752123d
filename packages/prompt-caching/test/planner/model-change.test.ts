import { type Message, roughTokenCounter as tokens } from '@palimpsest/core'
import { describe, expect, it } from 'vitest'
import { createCachePlanner, findPricing } from '../../src/index.ts'

const messages: Message[] = [
  { role: 'system', content: 'Be exact. '.repeat(4000) },
  { role: 'user', content: 'one '.repeat(4000) },
]

function planner(model = 'claude-sonnet-5-5') {
  let now = 0
  const clock = { now: () => (now += 1000) }
  return createCachePlanner({ pricing: findPricing({ model }), tokens, clock })
}

describe('another model', () => {
  it('has nothing in its cache; the same one has what it had', () => {
    const cache = planner()
    cache.plan({ messages, tools: [] })
    cache.reset('claude-sonnet-5-5')
    expect(cache.plan({ messages, tools: [] }).expected.read).toBeGreaterThan(0)
    cache.reset('claude-opus-4-6')
    expect(cache.pricing.model).toBe('claude-opus-4-6')
    expect(cache.plan({ messages, tools: [] }).expected.read).toBe(0)
    cache.reset('claude-opus-4-6')
    expect(cache.plan({ messages, tools: [] }).expected.read).toBeGreaterThan(0)
  })

  it('without prices gets no breakpoints, and each plan says so until a known one comes', () => {
    const cache = planner()
    cache.plan({ messages, tools: [] })
    cache.reset('unheard-of-7')
    for (let request = 0; request < 2; request++) {
      const { anchors, repairs, expected } = cache.plan({ messages, tools: [] })
      expect(anchors).toEqual([])
      expect(expected.read).toBe(0)
      expect(repairs.map(({ rule }) => rule)).toEqual(['unknown-model'])
      expect(repairs[0]?.message).toContain('unheard-of-7')
    }
    cache.reset('claude-sonnet-5-5')
    const { anchors, repairs } = cache.plan({ messages, tools: [] })
    expect(anchors.length).toBeGreaterThan(0)
    expect(repairs).toEqual([])
  })
})
