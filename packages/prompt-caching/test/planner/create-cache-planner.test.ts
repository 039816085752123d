import {
  type AssistantMessage,
  compactedResult,
  createContextSession,
  defineContextEngine,
  type Message,
  renderSummary,
  roughTokenCounter as tokens,
} from '@palimpsest/core'
import { describe, expect, it } from 'vitest'
import { createCachePlanner } from '../../src/index.ts'
import { TEST_PRICING } from '../layouts.ts'

const SECOND = 1000
const text = (words: string, size: number) => `${words} `.repeat(Math.ceil((size * 4) / (words.length + 1)))
const system: Message = { role: 'system', content: text('Be terse.', 2000) }
const user = (words: string): Message => ({ role: 'user', content: text(words, 300) })

function thought(words: string): AssistantMessage {
  const reasoning = [{ type: 'thinking', thinking: words, signature: `sig ${words}` }]
  return { role: 'assistant', content: text(words, 300), providerData: { anthropic: { reasoning } } }
}

/** Keeps the last turn verbatim and puts a summary in place of everything before it. */
const summarizing = defineContextEngine({
  name: 'summarizing',
  apiVersion: 1,
  description: 'For tests',
  create: () => ({
    shouldCompress: () => false,
    async compress({ messages }) {
      const [first, ...rest] = messages
      const summary: Message = { role: 'user', content: renderSummary('It was long.') }
      const after = [...(first ? [first] : []), summary, ...rest.slice(-2)]
      return compactedResult({ before: messages, after, tokens, reason: 'summarised' })
    },
  }),
})

function open() {
  let now = 0
  const clock = { now: () => now }
  const cache = createCachePlanner({ pricing: TEST_PRICING, tokens, clock })
  const session = createContextSession({ engine: summarizing, contextLength: 100_000, tokens, cache, clock })
  return { cache, session, wait: (ms: number) => (now += ms) }
}

describe('a session with the planner', () => {
  it('knows whether the provider still holds the last prompt', async () => {
    const { cache, session, wait } = open()
    expect(cache.isWarm()).toBe(false)
    await session.prepare([system, user('a')])
    wait(300 * SECOND)
    expect(cache.isWarm()).toBe(true)
    wait(1)
    expect(cache.isWarm()).toBe(false)
  })

  it('reads everything that it sent before, turn after turn', async () => {
    const { session, wait } = open()
    const host: Message[] = [system, user('a')]
    let before = 0
    for (const name of ['b', 'c', 'd', 'e']) {
      const { cache, tokens: sent } = await session.prepare(host)
      expect(cache?.expected.read).toBe(before)
      expect(cache?.expected.uncached).toBe(0)
      before = sent
      host.push({ role: 'assistant', content: name }, user(name))
      wait(20 * SECOND)
    }
  })

  it('reads head and summary again after a compaction', async () => {
    const { session, wait } = open()
    const host: Message[] = [system, user('a'), thought('b'), user('c'), thought('d'), user('e')]
    await session.prepare(host)
    await session.compact()
    wait(SECOND)
    const { cache, messages } = await session.prepare([...host, thought('f'), user('g')])
    expect(String(messages[1]?.content).includes('It was long.')).toBe(true)
    expect(cache?.expected.read).toBe(tokens.countMessage(system))
    expect(cache?.anchors.map(({ reason }) => reason)).toEqual(['static-head', 'boundary', 'tail'])
  })

  it('says what was read, and what was not', async () => {
    const { cache, wait } = open()
    const host = [system, user('a')]
    const observe = (cacheReadTokens: number, cacheWriteTokens: number) =>
      cache.observe({
        promptTokens: 3000,
        completionTokens: 1,
        totalTokens: 3001,
        cacheReadTokens,
        cacheWriteTokens,
      })
    cache.plan({ messages: host, tools: [] })
    expect(observe(0, 2300).verdict).toBe('hit')
    wait(SECOND)
    host.push(thought('b'), user('c'))
    cache.plan({ messages: host, tools: [] })
    expect(observe(2300, 700).verdict).toBe('hit')
    wait(400 * SECOND)
    cache.plan({ messages: host, tools: [] })
    expect(observe(0, 3000).verdict).toBe('expired')
    wait(SECOND)
    cache.plan({
      messages: [{ role: 'system', content: text('Be kind.', 2000) }, ...host.slice(1)],
      tools: [],
    })
    expect(observe(0, 3000)).toMatchObject({
      verdict: 'changed',
      firstDifference: { at: 'system', block: 0 },
    })
  })

  it('begins anew with another conversation and another model', () => {
    const other = { ...TEST_PRICING, model: 'other' }
    const cache = createCachePlanner({
      pricing: TEST_PRICING,
      tokens,
      clock: { now: () => 0 },
      pricingOf: () => other,
    })
    cache.plan({ messages: [system, user('a')], tools: [] })
    expect(cache.state.entries.length).toBeGreaterThan(0)
    cache.reset('other')
    expect(cache.pricing.model).toBe('other')
    expect(cache.state.entries).toEqual([])
  })
})
