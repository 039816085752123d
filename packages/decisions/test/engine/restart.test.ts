import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Store } from '@palimpsest/core'
import lcm from '@palimpsest/lcm'
import { createSqliteStore } from '@palimpsest/store'
import { afterAll, describe, expect, it } from 'vitest'
import { createDecisionLedger, readEvents } from '../../src/index.ts'
import { messagesOf, readingModel } from '../reading-model.ts'
import { blockOf, talkWith, textOf } from '../talk.ts'

const folder = mkdtempSync(join(tmpdir(), 'decisions-'))
afterAll(() => rmSync(folder, { recursive: true }))

const SAID = {
  "Let's use Postgres": { subject: 'database', value: 'Postgres' },
  'We use Redis': { subject: 'cache', value: 'Redis' },
}

describe('in a file', () => {
  it('a session goes on after a restart, and reads nothing twice', async () => {
    const open = () => createSqliteStore({ path: join(folder, 'restart.db') })
    const first = open()
    const model = readingModel(SAID)
    const talk = talkWith({ batch_turns: 1 }, { store: first, model })
    await talk.turn("Let's use Postgres for the orders.")
    await talk.read()
    await talk.session.end()
    await first.close()
    const second = open()
    const again = talkWith({ batch_turns: 1 }, { store: second, model, history: talk.history })
    expect(blockOf(await again.ask('We use Redis as our cache.'))).toContain('Postgres')
    await again.answer('Fine.')
    await again.read()
    expect((await again.tool('decisions_list')).total).toBe(2)
    const numbers = model.prompts.flatMap((prompt) => messagesOf(prompt).map(({ number }) => number))
    expect(numbers).toEqual([...new Set(numbers)])
    expect(await second.verify()).toEqual([])
    await second.close()
  })

  it('is shared with the engine that compacts', async () => {
    const store = createSqliteStore({ path: join(folder, 'shared.db') })
    const model = readingModel(SAID)
    const options = { batch_turns: 1, compaction: { engine: lcm } }
    const talk = talkWith(options, { store, model, contextLength: 8_000 })
    await talk.turn("Let's use Postgres for the orders.")
    for (let turn = 0; talk.compactions === 0 && turn < 30; turn++)
      await talk.turn(`Turn ${turn}. ${'Look at the screen. '.repeat(120)}`)
    expect(talk.compactions).toBeGreaterThan(0)
    expect(await store.list({ limit: 9 })).toMatchObject([{ key: 'talk', summaries: expect.any(Number) }])
    expect(blockOf(await talk.ask('Which database do we use?'))).toContain('Postgres')
    await store.close()
  })
})

describe('messages that the host takes back', () => {
  it('withdraw what was read in them, in the log of the store too', async () => {
    const store = createSqliteStore({ path: ':memory:' })
    const talk = talkWith({ batch_turns: 1, project: 'shop' }, { store, model: readingModel(SAID) })
    await talk.turn('Hello.')
    await talk.turn("Let's use Postgres for the orders.")
    await talk.read()
    await talk.session.prepare([...talk.history.slice(0, 3), { role: 'user', content: 'Go on.' }])
    const session = await store.find({ key: 'talk' })
    const events = readEvents((await session?.events({ scopes: ['project:shop'] })) ?? [])
    expect(events.map(({ type }) => type)).toEqual(['asserted', 'withdrawn'])
    expect(createDecisionLedger(events).all).toEqual([])
  })

  it('withdraw it at the next start, when the process ended before', async () => {
    const store = createSqliteStore({ path: ':memory:' })
    const talk = talkWith({ batch_turns: 1 }, { store, model: readingModel(SAID) })
    await talk.turn("Let's use Postgres for the orders.")
    await talk.read()
    const session = await store.session({ key: 'talk' }, 0)
    const { nextSeq } = await session.head()
    await session.append({ nextSeq, messages: [], at: 1_800_000_000_000, replaceFrom: 1 })
    const again = talkWith({}, { store, history: talk.history.slice(0, 1) })
    expect(blockOf(await again.ask('Which database do we use?'))).toBe('')
  })
})

it('two sessions of a project that record at the same time lose nothing', async () => {
  const store = createSqliteStore({ path: ':memory:' })
  const talks = ['a', 'b', 'c'].map((sessionId) => talkWith({ project: 'shop' }, { store, sessionId }))
  await Promise.all(talks.map((talk) => talk.turn("Let's use Postgres for the orders.")))
  const given = { subject: 'database', value: 'Postgres', quote: "Let's use Postgres" }
  await Promise.all(
    talks.flatMap(({ tool }) => [
      tool('decisions_record', given),
      tool('decisions_record', { ...given, subject: 'orders' }),
    ]),
  )
  for (const { tool } of talks) {
    const { decisions } = await tool('decisions_list')
    expect(decisions.map(({ subject }: { subject: string }) => subject).toSorted()).toEqual([
      'database',
      'orders',
    ])
  }
})

it('a damaged event is left out, and the others hold', async () => {
  const store = createSqliteStore({ path: ':memory:' })
  const talk = talkWith({}, { store })
  await talk.turn("Let's use Postgres for the orders. We use Redis as our cache.")
  const session = await store.session({ key: 'talk' }, 0)
  await talk.tool('decisions_record', { subject: 'cache', value: 'Redis', quote: 'We use Redis' })
  await session.record({ scope: 'session:talk', events: [{ id: 'e1', body: { type: 'asserted' } }] })
  await talk.tool('decisions_record', { subject: 'database', value: 'Postgres', quote: 'use Postgres' })
  expect(await talk.tool('decisions_list')).toMatchObject({ total: 2 })
})

it('while the store fails, what is on record is shown, and what was said meanwhile is read later', async () => {
  const memory = createSqliteStore({ path: ':memory:' })
  let isDown = false
  const store: Store = {
    ...memory,
    async session(ref, at) {
      const session = await memory.session(ref, at)
      return new Proxy(session, {
        get(target, name) {
          const member = Reflect.get(target, name)
          if (typeof member !== 'function') return member
          return (...args: unknown[]) =>
            isDown ? Promise.reject(new Error('the disk is full')) : member.apply(target, args)
        },
      })
    },
  }
  const talk = talkWith({ batch_turns: 1 }, { store, model: readingModel(SAID) })
  await talk.turn("Let's use Postgres for the orders.")
  await talk.read()
  expect(textOf(await talk.turn('Go on.'))).toContain('Postgres')
  isDown = true
  expect(textOf(await talk.turn('We use Redis as our cache.'))).toContain('Postgres')
  expect(talk.warnings).toContain('store-unavailable')
  expect(await talk.tool('decisions_list')).toHaveProperty('error')
  isDown = false
  await talk.turn('And on.')
  await talk.read()
  expect((await talk.tool('decisions_list')).total).toBe(2)
})
