import {
  type CompressCall,
  countMessages,
  createContextSession,
  defineContextEngine,
  HYGIENE_SHARE,
  keptResult,
  type Message,
  messageText,
  roughTokenCounter,
} from '@palimpsest/core'
import { describe, expect, it } from 'vitest'
import decisions, { type DecisionsOptions } from '../../src/index.ts'
import { tickingClock } from './harness.ts'

const WINDOW = 12_000
/** What a compaction is due at: just below the share at which a session compacts whatever its engine says. */
const LIMIT = WINDOW * HYGIENE_SHARE
const SYSTEM: Message = { role: 'system', content: 'You are a coding agent.' }
const PARTS = ['database', 'queue', 'cache', 'linter', 'bundler', 'test runner', 'logger', 'web framework']
const CHOICES = [
  ['Postgres', 'MySQL'],
  ['RabbitMQ', 'Kafka'],
  ['Redis', 'Memcached'],
  ['ESLint', 'Biome'],
  ['Rollup', 'Webpack'],
  ['Jest', 'Vitest'],
  ['Winston', 'Pino'],
  ['Express', 'Fastify'],
] as const

const openSession = (options: DecisionsOptions = {}) =>
  createContextSession<DecisionsOptions>({
    engine: decisions,
    options: { threshold: HYGIENE_SHARE - 0.001, ...options },
    contextLength: WINDOW,
    tokens: roughTokenCounter,
    clock: tickingClock(),
    sessionId: 'talk',
  })

/** A rule of its own in each turn, and now and then another choice for a part that was chosen before. */
function saying(turn: number): string {
  const part = turn % PARTS.length
  const choice = CHOICES[part]?.[Math.floor(turn / PARTS.length) % 2] ?? ''
  return `Always keep src/area${turn}/index.ts below ${100 + turn} lines. We use ${choice} for the ${PARTS[part]}.`
}

const answer = (turn: number): Message => ({
  role: 'assistant',
  content: `Noted for area ${turn}. ${'The spacing of the left column follows the grid. '.repeat(20)}`,
})

describe('what is placed into a request', () => {
  it('has its room: no request is larger than what a compaction is due at', async () => {
    const session = openSession()
    const history: Message[] = [SYSTEM]
    const sizes: number[] = []
    let placed = 0
    for (let turn = 0; turn < 120; turn++) {
      history.push({ role: 'user', content: saying(turn) })
      const { messages, tokens } = await session.prepare(history)
      sizes.push(tokens)
      if (messageText(messages[0] ?? SYSTEM).includes('<project_decisions>')) placed++
      history.push(answer(turn))
    }
    expect(placed).toBeGreaterThan(100)
    expect(Math.max(...sizes)).toBeGreaterThan(LIMIT * 0.9)
    expect(sizes.filter((size) => size > LIMIT)).toEqual([])
    await session.end()
  })

  it('is a part of the prompt that stays, for whatever engine compacts', async () => {
    const calls: CompressCall[] = []
    const engine = defineContextEngine<object>({
      name: 'listener',
      apiVersion: 1,
      description: 'Compacts nothing.',
      create: (_, { tokens }) => ({
        shouldCompress: () => false,
        async compress(call) {
          calls.push(call)
          return keptResult('unchanged', 'nothing-to-compact', call.messages, tokens)
        },
      }),
    })
    const session = openSession({ compaction: { engine } })
    const { messages } = await session.prepare([SYSTEM, { role: 'user', content: saying(1) }])
    await session.engine.compress({ messages, currentTokens: 5_000 })
    await session.engine.compress({ messages })
    const block = countMessages(roughTokenCounter, messages.slice(0, 1))
    for (const [index, told] of [5_000, countMessages(roughTokenCounter, messages)].entries()) {
      const placed = (calls[index]?.currentTokens ?? 0) - told
      expect(placed).toBeGreaterThan(0)
      expect(placed).toBeLessThanOrEqual(block)
    }
    await session.end()
  })

  it('is not counted twice when a host asks about the prompt that was reported', async () => {
    const session = openSession()
    await session.prepare([SYSTEM, { role: 'user', content: saying(1) }])
    const { engine } = session
    const promptTokens = engine.thresholdTokens - 1
    // An estimate of the projection knows nothing of the block.
    expect(engine.shouldCompress({ promptTokens })).toBe(true)
    await session.observe({
      usage: { prompt_tokens: promptTokens, completion_tokens: 1, total_tokens: promptTokens + 1 },
    })
    expect(engine.shouldCompress()).toBe(false)
    await session.end()
  })
})
