import { chmodSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import type { Message, Warning } from '@palimpsest/core'
import { createSqliteStore, StoreError } from '@palimpsest/store'
import { describe, expect, it } from 'vitest'
import { useFolders } from '../store-folder.ts'
import { uncovered } from './coverage.ts'
import {
  assistant,
  createChat,
  createEngine,
  memoryStore,
  openSession,
  stored,
  system,
  texts,
  turns,
  user,
  words,
  wrapStore,
} from './harness.ts'

/** A store whose calls fail while `broken` says so. */
function brokenStore() {
  const inner = memoryStore()
  const state = { broken: 'nothing' as 'nothing' | 'writes' | 'everything' }
  const store = wrapStore(inner, async (method, run) => {
    const isWrite = method === 'append' || method === 'commit'
    if (state.broken === 'everything' || (state.broken === 'writes' && isWrite))
      throw new StoreError('STORE_UNAVAILABLE', 'no space left on the device')
    return run()
  })
  return { inner, store, state }
}

const codesOf = (warnings: readonly Warning[]) => warnings.map(({ code }) => code)
const warningsOf = ({ warnings }: { readonly warnings: readonly { readonly code: string }[] }) =>
  warnings.map(({ code }) => code)

describe('a store that fails', () => {
  it.each(['writes', 'everything'] as const)(
    'for a while (%s) costs nothing: all is written later, once',
    async (what) => {
      const { inner, store, state } = brokenStore()
      const engine = createEngine({ store, window: 4_000 })
      let told: Message[] = [system(), ...turns(6)]
      await engine.ingest({ messages: told, from: 0 })
      state.broken = what
      const more = turns(8, 100, 'more')
      expect(codesOf(await engine.ingest({ messages: more, from: told.length }))).toEqual([
        'store-unavailable',
      ])
      told = [...told, ...more]
      const squeezed = await engine.compress({ messages: told, force: true })
      expect(squeezed.outcome).toBe('compacted')
      expect(warningsOf(squeezed)).toContain('store-unavailable')

      state.broken = 'nothing'
      const last = [user('and now?')]
      await engine.ingest({ messages: last, from: told.length })
      const next = await engine.compress({ messages: [...squeezed.messages, ...last], force: true })
      expect(warningsOf(next)).not.toContain('store-unavailable')
      const session = await openSession(inner)
      expect(await stored(session)).toEqual(texts([...told, ...last]))
      expect(await store.verify()).toEqual([])
      expect(await uncovered(session, next.messages)).toBeUndefined()
    },
  )

  it('from the start is caught up with, and the host goes on from what it was shown meanwhile', async () => {
    const { inner, store, state } = brokenStore()
    state.broken = 'everything'
    const chat = createChat({ store, window: 4_000 })
    const told = [system(), ...turns(14)]
    const first = await chat.prepare(told)
    expect(warningsOf(first)).toContain('store-unavailable')
    expect((await chat.compact()).outcome).toBe('unchanged')
    state.broken = 'nothing'
    const list = [...first.messages, user('and now?')]
    const second = await chat.prepare(list)
    expect(warningsOf(second)).not.toContain('store-unavailable')
    const more = turns(12, 100, 'more')
    await chat.prepare([...list, ...more])
    const shown = await chat.compact()
    const session = await openSession(inner)
    expect(await stored(session)).toEqual(texts([...told, user('and now?'), ...more]))
    expect(await store.verify()).toEqual([])
    expect(await uncovered(session, shown.messages)).toBeUndefined()
  })

  it('when a session goes on after a restart is caught up with, too', async () => {
    for (const window of [3_000, 3_500, 4_000, 4_500]) {
      const { inner, store, state } = brokenStore()
      const told = [system(), ...turns(14)]
      const first = createChat({ store, window })
      await first.prepare(told)
      await first.end()
      state.broken = 'everything'
      const chat = createChat({ store, window })
      const list = [...told, user('and now?')]
      expect(warningsOf(await chat.prepare(list))).toContain('store-unavailable')
      state.broken = 'nothing'
      const next = [...list, assistant('This.'), ...turns(4, 100, 'next')]
      expect(warningsOf(await chat.prepare(next))).not.toContain('store-unavailable')
      const { messages } = await chat.compact()
      const session = await openSession(inner)
      expect(await stored(session), `${window}`).toEqual(texts(next))
      expect(await uncovered(session, messages)).toBeUndefined()
      expect(await inner.verify()).toEqual([])
    }
  })

  it('with the last message gets one more chance at the end', async () => {
    const { inner, store, state } = brokenStore()
    const chat = createChat({ store })
    await chat.prepare([user('one')])
    state.broken = 'writes'
    await chat.prepare([user('one'), assistant('two')])
    state.broken = 'nothing'
    await chat.end()
    expect(await stored(await openSession(inner))).toEqual(texts([user('one'), assistant('two')]))
  })

  it('in the middle of an edit changes nothing, and the edit is made when the host tells it again', async () => {
    const { inner, store, state } = brokenStore()
    const chat = createChat({ store, window: 4_000 })
    const told = [system(), ...turns(14)]
    await chat.prepare(told)
    await chat.compact()
    state.broken = 'writes'
    const edited = [...told.slice(0, 20), user('no')]
    expect(warningsOf(await chat.prepare(edited))).not.toEqual([])
    state.broken = 'nothing'
    await chat.prepare(edited)
    const session = await openSession(inner)
    expect(await stored(session, false)).toEqual(texts(edited))
    expect(await stored(session)).toEqual(texts([...told, user('no')]))
  })
})

describe('a SQLite file', () => {
  const { path } = useFolders()

  it('on a full disk: a typed error, the conversation goes on, and all is there when there is room again', async () => {
    const file = path()
    // The limit holds for a connection: this one is the store's own, found when it is made.
    const opened: DatabaseSync[] = []
    const { exec, prepare } = DatabaseSync.prototype
    DatabaseSync.prototype.exec = function (sql) {
      if (!opened.includes(this)) opened.push(this)
      exec.call(this, sql)
    }
    DatabaseSync.prototype.prepare = function (this: DatabaseSync, ...args: Parameters<typeof prepare>) {
      if (!opened.includes(this)) opened.push(this)
      return prepare.apply(this, args)
    } as typeof prepare
    try {
      const store = createSqliteStore({ path: file })
      const engine = createEngine({ store, window: 8_000 })
      const told = [system(), ...turns(3)]
      await engine.ingest({ messages: told, from: 0 })
      for (const database of opened) exec.call(database, 'PRAGMA max_page_count = 1')
      const more = Array.from({ length: 30 }, (_, index) => user(words(400, `huge${index}x`)))
      expect(codesOf(await engine.ingest({ messages: more, from: told.length }))).toEqual([
        'store-unavailable',
      ])
      const { outcome, warnings } = await engine.compress({ messages: [...told, ...more], force: true })
      expect([outcome, warningsOf({ warnings })]).toEqual([
        'compacted',
        expect.arrayContaining(['store-unavailable']),
      ])
      for (const database of opened) exec.call(database, 'PRAGMA max_page_count = 1000000')
      await engine.ingest({ messages: [assistant('ok')], from: told.length + more.length })
      const session = await openSession(store)
      expect(await stored(session)).toEqual(texts([...told, ...more, assistant('ok')]))
      expect(await store.verify()).toEqual([])
      expect(await store.verify()).toEqual([])
      await store.close()
    } finally {
      Object.assign(DatabaseSync.prototype, { exec, prepare })
    }
  })

  it('that may only be read: a typed error, and the conversation goes on in memory', async () => {
    const file = path()
    const told = [system(), ...turns(14)]
    const writer = createSqliteStore({ path: file })
    await createEngine({ store: writer }).ingest({ messages: told, from: 0 })
    await writer.close()
    chmodSync(file, 0o400)
    const store = createSqliteStore({ path: file, readOnly: true })
    const engine = createEngine({ store, window: 4_000 })
    const list = [...told, user('and now?')]
    expect(codesOf(await engine.ingest({ messages: list, from: 0 }))).toEqual(['store-unavailable'])
    const { outcome, messages, warnings } = await engine.compress({ messages: list, force: true })
    expect([outcome, messages.at(-1), warningsOf({ warnings })]).toEqual([
      'compacted',
      user('and now?'),
      expect.arrayContaining(['store-unavailable']),
    ])
    expect(await stored(await openSession(store))).toEqual(texts(told))
    await store.close()
  })
})
