import {
  compactedResult,
  createContextSession,
  defineContextEngine,
  type Message,
  renderSummary,
  type SessionEvent,
  roughTokenCounter as tokens,
} from '@palimpsest/core'
import { describe, expect, it } from 'vitest'
import { createCachePlanner, findPricing } from '../../src/index.ts'

const WINDOW = 200_000
const OUTPUT = 64_000
const SECOND = 1000
/** Reads for little, so that a compaction waits for long. */
const MODEL = 'claude-fable-5-1'

/** Due from a threshold on; leaves a summary and the last turn. */
function engineWith(thresholdTokens: number) {
  return defineContextEngine({
    name: 'summarizing',
    apiVersion: 1,
    description: 'For tests',
    create: () => ({
      thresholdTokens,
      shouldCompress: ({ promptTokens = 0 } = {}) => promptTokens >= thresholdTokens,
      async compress({ messages }) {
        const [first, ...rest] = messages
        const summary: Message = { role: 'user', content: renderSummary('It was long.') }
        const noted: Message = { role: 'assistant', content: 'Noted.' }
        const after = [...(first ? [first] : []), summary, noted, ...rest.slice(-1)]
        return compactedResult({ before: messages, after, tokens, reason: 'summarised' })
      },
    }),
  })
}

/** Turns of 9,000 tokens each. */
async function talk(
  compactAt: 'threshold' | 'cheapest',
  threshold: number,
  pauses: readonly number[],
  model = MODEL,
) {
  let now = 0
  const clock = { now: () => now }
  const cache = createCachePlanner({ pricing: findPricing({ model }), tokens, clock })
  const session = createContextSession({
    engine: engineWith(threshold),
    contextLength: WINDOW,
    maxOutputTokens: OUTPUT,
    tokens,
    cache,
    clock,
    compactAt,
  })
  const events: SessionEvent[] = []
  session.subscribe((event) => events.push(event))
  const host: Message[] = [{ role: 'system', content: 's '.repeat(4000) }]
  let largest = 0
  for (const pause of pauses) {
    now += pause
    host.push({ role: 'user', content: 'u'.repeat(36_000) })
    largest = Math.max(largest, (await session.prepare(host)).tokens)
    host.push({ role: 'assistant', content: 'a' })
  }
  const compactions = events.flatMap((event) => (event.type === 'compaction' ? [event.trigger] : []))
  return { largest, compactions, deferred: events.filter(({ type }) => type === 'deferred').length }
}

describe('compactAt with the planner', () => {
  const steady = Array.from({ length: 30 }, () => 20 * SECOND)

  it('waits while the cache is warm, and never until prompt and answer fill the window', async () => {
    const atOnce = await talk('threshold', 100_000, steady)
    const waiting = await talk('cheapest', 100_000, steady)
    console.log(`largest prompt: at once ${atOnce.largest}, waiting ${waiting.largest} of ${WINDOW - OUTPUT}`)
    expect(atOnce.deferred).toBe(0)
    expect(waiting.deferred).toBeGreaterThan(0)
    expect(waiting.largest).toBeGreaterThan(atOnce.largest)
    // A turn of 9,000 tokens comes before the compaction.
    expect(waiting.largest).toBeLessThanOrEqual(0.85 * (WINDOW - OUTPUT) + 9100)
    expect(waiting.compactions).toContain('threshold')
  })

  it('does not wait at all for a threshold beyond 85 % of what a prompt may have', async () => {
    const { deferred, compactions } = await talk('cheapest', 0.9 * (WINDOW - OUTPUT), steady)
    expect(deferred).toBe(0)
    expect(compactions.length).toBeGreaterThan(0)
  })

  it('compacts early after a pause', async () => {
    const pauses = [...Array.from({ length: 8 }, () => 20 * SECOND), 600 * SECOND]
    const { compactions } = await talk('cheapest', 100_000, pauses, 'claude-sonnet-5-5')
    expect(compactions).toEqual(['pause'])
  })
})
