import { ModelError, type Store } from '@palimpsest/core'
import { createSqliteStore } from '@palimpsest/store'
import { describe, expect, it } from 'vitest'
import { messagesOf, readingModel } from '../reading-model.ts'
import { talkWith } from '../talk.ts'

const SAID = { 'We use Redis': { subject: 'cache', value: 'Redis' } }
const inMemory = (): Store => createSqliteStore({ path: ':memory:' })
const pending = async (store: Store) => (await (await store.find({ key: 'talk' }))?.jobs())?.length
const LONG = 'Look at the screen. '.repeat(120)

describe('the reading of turns', () => {
  it('is a job in the store before the turn is over, and is done after a crash', async () => {
    const store = inMemory()
    const silent = readingModel(SAID)
    silent.before = () => new Promise(() => {})
    const talk = talkWith({ batch_turns: 2 }, { store, model: silent })
    await talk.turn('We use Redis as our cache.')
    expect(await pending(store)).toBe(0)
    await talk.turn('Go on.')
    expect(await pending(store)).toBe(1)
    // The first process is gone; its lease ends.
    const later = { now: () => 1_900_000_000_000 }
    const again = talkWith(
      { batch_turns: 2 },
      { store, model: readingModel(SAID), history: talk.history, clock: later },
    )
    await again.ask('And now?')
    await again.read()
    expect(await pending(store)).toBe(0)
    expect((await again.tool('decisions_list')).decisions).toMatchObject([{ value: 'Redis' }])
  })

  it('sends each message once, also when a compaction wants the rest read', async () => {
    const model = readingModel(SAID)
    const talk = talkWith({ batch_turns: 3 }, { model, contextLength: 8_000 })
    for (let turn = 0; turn < 14; turn++) await talk.turn(`Turn ${turn}. ${LONG}`)
    await talk.turn('We use Redis as our cache.')
    await talk.session.compact()
    await talk.ask('And now?')
    await talk.read()
    expect(talk.compactions).toBeGreaterThan(0)
    const numbers = model.prompts.flatMap((prompt) => messagesOf(prompt).map(({ number }) => number))
    expect(numbers).toEqual([...new Set(numbers)].toSorted((a, b) => a - b))
    // The last message of the user stays in view.
    expect(numbers.at(-1)).toBe(28)
  })

  it('is waited for by a compaction: what leaves the window is on record', async () => {
    const model = readingModel(SAID)
    const talk = talkWith({ batch_turns: 50 }, { model, contextLength: 8_000 })
    await talk.turn('We use Redis as our cache.')
    for (let turn = 0; talk.compactions === 0 && turn < 20; turn++) await talk.turn(`Turn ${turn}. ${LONG}`)
    expect((await talk.tool('decisions_list')).decisions).toMatchObject([{ value: 'Redis' }])
  })

  it('cuts a long batch between messages', async () => {
    const model = readingModel(SAID)
    const talk = talkWith({ batch_turns: 2 }, { model, contextLength: 200_000 })
    for (const turn of [1, 2]) await talk.turn(`Turn ${turn}. ${'x '.repeat(20_000)}`)
    await talk.read()
    expect(model.prompts.length).toBeGreaterThan(1)
  })

  it('is asked with the question before it, so that a "yes" says something', async () => {
    const model = readingModel({
      'Yes, do it': { subject: 'cache', value: 'Redis', accepts: 'Shall I use Redis for the cache?' },
    })
    const talk = talkWith({ batch_turns: 1 }, { model })
    await talk.turn('Which cache?', 'Shall I use Redis for the cache?')
    await talk.turn('Yes, do it.')
    await talk.read()
    expect((await talk.tool('decisions_list')).decisions).toMatchObject([
      { value: 'Redis', authority: 'accepted' },
    ])
  })

  it('proves nothing of a message that was edited meanwhile', async () => {
    const model = readingModel(SAID)
    const edit = Promise.withResolvers<void>()
    model.before = () => edit.promise
    const talk = talkWith({ batch_turns: 1 }, { model })
    await talk.turn('We use Redis as our cache.')
    await expect.poll(() => model.prompts.length).toBe(1)
    await talk.session.prepare([...talk.history.slice(0, 1), { role: 'user', content: 'We use nothing.' }])
    edit.resolve()
    await talk.read()
    expect(await talk.tool('decisions_list', { status: 'all' })).toMatchObject({ total: 0 })
    expect(talk.session.engine.status().details).toMatchObject({ refused: { edited: 1 } })
  })
})

describe('a model that fails', () => {
  it('is left alone for a while, and asked again then; the job waits', async () => {
    const store = inMemory()
    const model = readingModel(SAID)
    let isDown = true
    model.before = () => {
      if (isDown) throw new ModelError('overloaded', 'too busy')
    }
    let now = 1_800_000_000_000
    const clock = { now: () => now }
    const talk = talkWith({ batch_turns: 1 }, { store, model, clock })
    await talk.turn('We use Redis as our cache.')
    await talk.read()
    await talk.turn('Go on.')
    await talk.read()
    expect([model.prompts.length, await pending(store)]).toEqual([1, 2])
    isDown = false
    now += 3_600_000
    await talk.turn('And on.')
    await talk.read()
    expect(await pending(store)).toBe(0)
    expect((await talk.tool('decisions_list')).decisions).toMatchObject([{ value: 'Redis' }])
  })

  it('and whose answers prove nothing is counted by reason, and told of once', async () => {
    const model = readingModel({
      'We use': { quote: 'We use something else entirely', value: 'x' },
      Redis: { quote: 'ok', value: 'y' },
    })
    const talk = talkWith({ batch_turns: 1 }, { model })
    await talk.turn('We use Redis.')
    await talk.read()
    expect(talk.session.engine.status().details).toMatchObject({ refused: { 'quote-not-found': 2 } })
    for (let turn = 0; turn < 3; turn++) {
      await talk.turn(`We use more. ${turn}`)
      await talk.read()
    }
    expect(talk.warnings).toEqual(['candidates-refused'])
  })

  it('for good costs no turn, and its job is given up after five attempts', async () => {
    const store = inMemory()
    const model = readingModel(SAID)
    model.before = () => {
      throw new Error('no such answer')
    }
    let now = 1_800_000_000_000
    const talk = talkWith({ batch_turns: 1 }, { store, model, clock: { now: () => (now += 3_600_000) } })
    await talk.turn('We use Redis as our cache.')
    for (let turn = 0; turn < 6; turn++) {
      await talk.ask(`Turn ${turn}`)
      await talk.read()
    }
    expect(talk.session.engine.status().details).toMatchObject({
      extraction: { givenUp: expect.toSatisfy((count) => count > 0) },
    })
  })
})
