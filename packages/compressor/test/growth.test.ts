import { createContextSession, type Message } from '@palimpsest/core'
import { describe, expect, it } from 'vitest'
import { compressor } from '../src/index.ts'
import { assistant, calls, result, SUMMARY, scripted, system, tokens, turns, user, words } from './harness.ts'

const many = (count: number): Message[] => {
  const ids = Array.from({ length: count }, (_, index) => ({ id: `p${index}` }))
  return [calls(...ids), ...ids.map(({ id }) => result(id, words(200, `${id}w`)))]
}

describe('what must stay', () => {
  const start = () => {
    const model = scripted([SUMMARY])
    const session = createContextSession({
      engine: compressor,
      contextLength: 16_000,
      tokens,
      model,
    })
    return { model, session, history: [system(), ...turns(3, 5)] }
  }

  it.each([
    ['a message of the user', [user(words(12_000))]],
    ['parallel results', [user('Read them all.'), ...many(400)]],
  ])('leaves when it need not any more: %s', async (_, large) => {
    const { model, session, history } = start()
    history.push(...large)
    expect((await session.prepare(history)).tokens).toBeGreaterThan(10_000)
    history.push(assistant('Done.'), user('Next?'))
    const { tokens: size, compactions } = await session.prepare(history)
    expect(compactions.map(({ outcome }) => outcome)).toEqual(['compacted'])
    expect(size).toBeLessThan(2_000)
    const paid = model.calls.length
    history.push(assistant('Done.'), user('Next?'))
    expect((await session.prepare(history)).compactions).toEqual([])
    expect(model.calls).toHaveLength(paid)
  })

  it('costs no call of the model for every message while it stays', async () => {
    const { model, session, history } = start()
    history.push(user(words(6_300)))
    await session.prepare(history)
    for (let round = 0; round < 20; round++) {
      const id = `r${round}`
      history.push(calls({ id }), result(id, words(120, id)))
      expect((await session.prepare(history)).tokens).toBeGreaterThan(13_600)
    }
    expect(model.calls.length).toBeLessThan(9)
  })

  it('does not hold back what lies between', async () => {
    const { session, history } = start()
    history.push(user(words(4_000)), ...many(400))
    expect((await session.prepare(history)).tokens).toBeGreaterThan(16_000)
    history.push(calls({ id: 'next' }), result('next', 'It is done.'))
    expect((await session.prepare(history)).tokens).toBeLessThan(16_000)
  })
})
