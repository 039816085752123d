import { createContextSession, type Message, roughTokenCounter } from '@palimpsest/core'
import { expect, it } from 'vitest'
import { LONG_HISTORY, PORTION, readAhead } from '../../src/engine/read-ahead.ts'
import { BEGINNING, readNewMessages } from '../../src/engine/read-new-messages.ts'
import decisions, { createMemoryDecisionStore, type DecisionsOptions } from '../../src/index.ts'
import { ANSWERS, SAYINGS } from './generated-talk.ts'

const talkOf = (length: number): readonly Message[] =>
  Array.from({ length }, (_, index) =>
    index % 2 === 0
      ? { role: 'user', content: SAYINGS[(index / 2) % SAYINGS.length] ?? '' }
      : { role: 'assistant', content: ANSWERS[((index - 1) / 2) % ANSWERS.length] ?? '' },
  )

it('reads in a thread what would be read here, also where an answer refers to the portion before', async () => {
  // A portion ends with a proposal, and the next one begins with an answer to it.
  const messages = talkOf(3 * PORTION + 40).with(PORTION, { role: 'user', content: 'Yes, do that.' })
  const ahead = readAhead(messages, 0, BEGINNING)
  let state = BEGINNING
  for (let from = 0; from < messages.length; from += PORTION) {
    const here = await readNewMessages(messages.slice(from, from + PORTION), { from, newFrom: from, state })
    expect(here.candidates.length).toBeGreaterThan(10)
    expect(await ahead.take(from)).toEqual(here)
    state = here.state
  }
  expect(await ahead.take(0)).toBeUndefined()
})

it('has read nothing where messages cannot be sent to a thread, and where it was stopped', async () => {
  const broken = [{ role: 'user', content: 'We use Redis.', extra: () => 1 }] as unknown as readonly Message[]
  expect(await readAhead(broken, 0, BEGINNING).take(0)).toBeUndefined()
  const ahead = readAhead(talkOf(PORTION), 0, BEGINNING)
  const taken = ahead.take(0)
  ahead.stop()
  expect(await taken).toBeUndefined()
})

it('records a history that comes at once as one that comes bit by bit', async () => {
  const messages = talkOf(LONG_HISTORY + PORTION + 2)
  const record = async (...lengths: readonly number[]) => {
    const store = createMemoryDecisionStore()
    const session = createContextSession<DecisionsOptions>({
      engine: decisions,
      options: { store },
      contextLength: 16_000,
      tokens: roughTokenCounter,
      clock: { now: () => 1 },
      sessionId: 'talk',
    })
    for (const length of lengths) await session.prepare(messages.slice(0, length))
    await session.end()
    const kept = await store.session({ key: 'talk' }, 1)
    return { sources: await kept.sources(), events: await kept.events({ scopes: ['session:talk'] }) }
  }
  const atOnce = await record(messages.length)
  expect(atOnce.sources).toHaveLength(messages.length)
  expect(atOnce.events.length).toBeGreaterThan(100)
  expect(atOnce).toEqual(await record(LONG_HISTORY - PORTION, messages.length))
})
