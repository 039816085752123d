import { type Message, roughTokenCounter as tokens } from '@palimpsest/core'
import { describe, expect, it } from 'vitest'
import { createCachePlanner, findPricing } from '../../src/index.ts'
import { TEST_PRICING } from '../layouts.ts'
import { sessionsThatPause } from '../plan/earlier-sessions.ts'

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

  it('goes on with the conversation and its pauses', () => {
    const cache = planner()
    for (let request = 0; request < 40; request++) cache.plan({ messages, tools: [] })
    cache.reset('claude-opus-4-6')
    expect(cache.isWarm()).toBe(false)
    expect(cache.state.pauses).toHaveLength(39)
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

describe('another conversation', () => {
  it('has its own budget for pings', () => {
    const clock = { now: () => 0 }
    const cache = createCachePlanner({
      pricing: TEST_PRICING,
      tokens,
      clock,
      keepAlive: { budgetUsd: 0.003 },
      pauses: sessionsThatPause(52),
    })
    const pings = () => {
      cache.plan({ messages, tools: [] })
      let count = 0
      for (let ping = cache.nextPing(); ping !== null; ping = cache.nextPing()) {
        cache.pinged(ping)
        count++
      }
      return count
    }
    const first = pings()
    expect(first).toBeGreaterThan(0)
    expect(pings()).toBe(0)
    cache.reset()
    expect(pings()).toBe(first)
  })
})
