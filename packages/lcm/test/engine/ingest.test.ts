import { InvalidMessagesError, type Message } from '@palimpsest/core'
import { describe, expect, it } from 'vitest'
import { createContextLedger } from '../../src/engine/context-ledger.ts'
import { verifySession } from '../../src/verify/verify-session.ts'
import { uncovered } from './coverage.ts'
import {
  createEngine,
  expand,
  memoryStore,
  openSession,
  SUMMARY,
  scripted,
  stored,
  texts,
  tokens,
  turns,
  user,
} from './harness.ts'

describe('ingest', () => {
  it('stores what providers would refuse: nothing is guessed, mended or left out', async () => {
    const odd = [
      { role: 'narrator', content: 'a role of its own' },
      { role: 'user', content: null },
      { role: 'tool', content: 'no id' },
      { content: 'no role' },
      { role: 'user', content: '\ud83d\u0000', extra: { ['__proto__']: [1] } },
      JSON.parse('{"role":"user","content":"x","__proto__":{"polluted":true}}'),
      {},
    ] as unknown as Message[]
    const store = memoryStore()
    const engine = createEngine({ store })
    await engine.ingest({ messages: odd, from: 0 })
    expect(await stored(await openSession(store))).toEqual(texts(odd))
    for (const [seq, json] of texts(odd).entries()) expect(await expand(engine, seq)).toBe(json)
    expect(await verifySession(await openSession(store))).toEqual([])
  })

  it.each([[null], [[null]], [[5]], [['text']], [[[]]]])(
    'refuses %j, and nothing of it is stored',
    async (messages) => {
      const store = memoryStore()
      const engine = createEngine({ store })
      await expect(engine.ingest({ messages: messages as unknown as Message[], from: 0 })).rejects.toThrow(
        InvalidMessagesError,
      )
      await expect(engine.ingest({ messages: [user('x')], from: 1 })).rejects.toThrow(InvalidMessagesError)
      await engine.ingest({ messages: [user('x')], from: 0 })
      expect(await stored(await openSession(store))).toEqual(texts([user('x')]))
    },
  )

  it('takes over a session of 12,000 messages at once, and puts every one of them under a summary', async () => {
    const list = turns(3_000, 8)
    const store = memoryStore()
    const engine = createEngine({ store, window: 30_000, model: scripted(SUMMARY) })
    await engine.ingest({ messages: list, from: 0 })
    const { outcome, messages } = await engine.compress({ messages: list, force: true })
    expect(outcome).toBe('compacted')
    const session = await openSession(store)
    expect(await stored(session)).toEqual(texts(list))
    expect(await uncovered(session, messages)).toBeUndefined()
    const { nextSummary } = await session.head()
    const all = await session.summaries(Array.from({ length: nextSummary - 1 }, (_, index) => index + 1))
    const leaves = all.filter(({ depth }) => depth === 0)
    for (const { number, messages: size } of leaves) {
      const { total } = JSON.parse(await engine.handleToolCall('lcm_expand', { id: `s${number}` }))
      expect([total, size > 0]).toEqual([size, true])
    }
    const covered = leaves.reduce((sum, { messages: size }) => sum + size, 0)
    expect(covered).toBeGreaterThan(11_000)
    expect(await verifySession(session)).toEqual([])
  })
})

it('takes in a history that is longer than a call may have arguments, before a restart and after it', async () => {
  const store = memoryStore()
  const open = () => store.session({ key: 'chat' }, 0)
  const ledger = () => createContextLedger({ open, tokens, clock: { now: () => 0 } })
  const told = Array.from({ length: 150_000 }, (_, index) => user(`message ${index}`))
  await ledger().ingest(told, 0)
  const again = ledger()
  await again.ingest(told, 0)
  await again.ingest([user('and now?')], told.length)
  const { nextSeq } = await (await open()).head()
  expect(nextSeq).toBe(told.length + 1)
})
