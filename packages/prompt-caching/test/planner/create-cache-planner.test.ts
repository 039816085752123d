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
    expect(cache?.breakpoints.map(({ reason }) => reason)).toEqual(['static-head', 'tail'])
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
    expect(cache.isWarm()).toBe(true)
    cache.reset('other')
    expect(cache.pricing.model).toBe('other')
    expect(cache.isWarm()).toBe(false)
    expect(cache.plan({ messages: [system, user('a')], tools: [] }).expected.read).toBe(0)
  })

  it('marks nothing for a model without prices, and says so', async () => {
    const { session, wait } = open()
    await session.prepare([system, user('a')])
    await session.updateModel({ contextLength: 100_000, model: 'llama-4' })
    wait(SECOND)
    const { cache, warnings } = await session.prepare([system, user('a'), thought('b'), user('c')])
    expect(cache?.breakpoints).toEqual([])
    expect(warnings.map(({ message }) => message)).toEqual([
      expect.stringMatching(/no prices are known for the model "llama-4"/),
    ])
  })

  it('reads what the request before the last one wrote, when the last one was never sent', async () => {
    const { cache, wait } = open()
    const sent = [system, user('a')]
    const { expected } = cache.plan({ messages: sent, tools: [] })
    wait(SECOND)
    const lost = [...sent, thought('lost'), user('b')]
    cache.plan({ messages: lost, tools: [] })
    wait(SECOND)
    const { breakpoints } = cache.plan({ messages: [...lost, thought('c'), user('d')], tools: [] })
    expect(breakpoints.map(({ ref }) => ref)).toContainEqual({
      at: 'message',
      index: sent.length - 1,
      block: 0,
    })
    expect(expected.write5m).toBeGreaterThan(0)
  })
})
