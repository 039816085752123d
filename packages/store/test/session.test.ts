import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type ContextSessionOptions,
  compactedResult,
  createContextSession,
  defineContextEngine,
  type Message,
  messageText,
  placeSummary,
  roughTokenCounter,
  type Store,
} from '@palimpsest/core'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { createSqliteStore } from '../src/index.ts'

const user = (content: string): Message => ({ role: 'user', content })
const assistant = (content: string): Message => ({ role: 'assistant', content })
const system = (content: string): Message => ({ role: 'system', content })
const long = (word: string) => `${word} `.repeat(400)

/** Summarises all but the last message. */
const summarising = defineContextEngine({
  name: 'summarising',
  apiVersion: 1,
  description: 'Summarises all but the last message',
  create: () => ({
    shouldCompress: () => false,
    async compress({ messages }) {
      const after = placeSummary({ head: messages.slice(0, 1), summary: 'x', tail: messages.slice(-1) })
      return compactedResult({ before: messages, after, tokens: roughTokenCounter, reason: 'summarised' })
    },
  }),
})

const folder = mkdtempSync(join(tmpdir(), 'palimpsest-session-'))
const stores: Store[] = []
let files = 0
const fresh = (path = join(folder, `${++files}.db`)): Store => {
  const store = createSqliteStore({ path })
  stores.push(store)
  return store
}
const open = (store: Store, options: Partial<ContextSessionOptions<never>> = {}) =>
  createContextSession({
    engine: summarising,
    contextLength: 100_000,
    sessionId: 's',
    store,
    ...options,
  } as never)
const stored = async (store: Store, includeReplaced = false) => {
  const session = await store.session({ key: 's' }, 0)
  return (await session.messages({ includeReplaced })).map(({ message }) =>
    message ? messageText(message) : '',
  )
}

afterEach(async () => {
  for (const store of stores.splice(0)) await store.close()
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const TALK = [system('s'), user(long('one')), assistant(long('two')), user('three')]

describe('a session on a store', () => {
  it('keeps every message as it was said, without the ids that it gave', async () => {
    const store = fresh()
    const session = open(store)
    await session.prepare(TALK)
    await session.append([assistant('four')])
    const kept = await store.session({ key: 's' }, 0)
    expect((await kept.messages()).map(({ message }) => message)).toEqual([...TALK, assistant('four')])
  })

  it('goes on from there in another process, with what was shown', async () => {
    const store = fresh()
    const first = open(store)
    await first.prepare(TALK)
    await first.compact()
    const { messages: shown } = await first.prepare(TALK)
    await first.end()

    const again = open(store)
    expect((await again.prepare()).messages).toEqual(shown)
    const more = [assistant('four'), user('five')]
    expect((await again.prepare([...TALK, ...more])).messages).toEqual([...shown, ...more])
    expect(again.transcript).toEqual([...TALK, ...more])

    // A host that keeps the request instead of the history.
    const third = open(store)
    const own = [...shown, ...more, assistant('six'), user('seven')]
    expect((await third.prepare(own)).messages).toEqual(own)
    expect(await stored(store)).toHaveLength(8)
    expect(await store.verify()).toEqual([])
  })

  it('begins with all that was said when what was shown is not there or does not fit', async () => {
    const store = fresh()
    const first = open(store)
    await first.prepare(TALK)
    await first.compact()
    await (await store.session({ key: 's' }, 0)).saveState('projection', { covered: 99, messages: [] })
    const { messages, warnings } = await open(store).prepare()
    expect(messages).toEqual(TALK)
    expect(warnings.map(({ code }) => code)).toEqual(['restored-ignored'])
  })

  it('keeps what a host took back as replaced, and says so when a history begins otherwise than before', async () => {
    const store = fresh()
    await open(store).prepare([user('a'), assistant('b'), user('c'), assistant('d'), user('e')])
    const { warnings } = await open(store).prepare([user('a'), assistant('B')])
    expect(warnings.map(({ code }) => code)).toEqual(['history-replaced'])
    expect(await stored(store)).toEqual(['a', 'B'])
    expect(await stored(store, true)).toEqual(['a', 'b', 'c', 'd', 'e', 'B'])
    const regenerated = await open(store).prepare([user('a'), assistant('again')])
    expect(regenerated.warnings).toEqual([])
  })

  it('keeps each text of the system prompt once, beside the conversation', async () => {
    const store = fresh()
    const session = open(store)
    for (const text of ['s', 't', 's', 't']) await session.prepare([system(text), user('a')])
    await open(store).prepare([system('t'), user('a')])
    expect(await stored(store)).toEqual(['s', 'a'])
    expect(await stored(store, true)).toEqual(['s', 'a', 't'])
  })

  it('takes back everything with a reset', async () => {
    const store = fresh()
    const session = open(store)
    await session.prepare(TALK)
    await session.compact()
    await session.reset()
    await session.prepare([user('new')])
    expect(await stored(store)).toEqual(['new'])
    expect((await open(store).prepare()).messages).toEqual([user('new')])
  })

  it('shows nothing of a message that was deleted, whatever the host says in its place', async () => {
    const store = fresh()
    await open(store).prepare(TALK)
    await (await store.session({ key: 's' }, 0)).forget({ first: 1, last: 1, at: 0, reason: 'asked' })
    const { messages } = await open(store).prepare([...TALK, assistant('four')])
    expect(messages.map(messageText)).toEqual([
      's',
      '(This message was deleted on request.)',
      ...[...TALK.slice(2), assistant('four')].map(messageText),
    ])
    expect(await stored(store)).toHaveLength(5)
  })
})

describe('a store in trouble', () => {
  /** A store whose writes, and reads if so, fail as long as `isDown`. */
  const failing = (store: Store, reads = false) => {
    const state = { isDown: true }
    const broken: Store = {
      ...store,
      async session(ref, at) {
        if (state.isDown && reads) throw new Error('no disk')
        const session = await store.session(ref, at)
        return new Proxy(session, {
          get(target, name: keyof typeof session) {
            const member = target[name]
            if (typeof member !== 'function') return member
            return async (...args: never[]) => {
              if (state.isDown && name === 'append') throw new Error('disk full')
              return (member as (...args: never[]) => unknown).apply(target, args)
            }
          },
        })
      },
    }
    return { state, broken }
  }

  it('catches up when it works again', async () => {
    const store = fresh()
    const { state, broken } = failing(store)
    const session = open(broken)
    const { warnings } = await session.prepare([user('a')])
    expect(warnings.map(({ code }) => code)).toEqual(['store-unavailable'])
    await session.prepare([user('a'), assistant('b')])
    await session.prepare([user('a'), assistant('B')])
    state.isDown = false
    await session.prepare([user('a'), assistant('B'), user('c')])
    expect(await stored(store)).toEqual(['a', 'B', 'c'])
    expect(await stored(store, true)).toEqual(['a', 'b', 'B', 'c'])
    expect(await store.verify()).toEqual([])
  })

  it('goes on from what it has when it could not be read at the start', async () => {
    const store = fresh()
    await open(store).prepare([user('x'), assistant('y')])
    await open(store).prepare([user('a'), assistant('b')])
    const { state, broken } = failing(store, true)
    const session = open(broken)
    await session.prepare([user('a'), assistant('b'), user('c')])
    state.isDown = false
    await session.prepare([user('a'), assistant('b'), user('c'), assistant('d')])
    expect(await stored(store)).toEqual(['a', 'b', 'c', 'd'])
    expect(await stored(store, true)).toEqual(['x', 'y', 'a', 'b', 'c', 'd'])
  })

  it('lets two processes go on that say the same, and leaves out one that says something else', async () => {
    const store = fresh()
    const [one, other] = [open(store), open(store)]
    await one.prepare([user('a')])
    await other.prepare([user('a')])
    await one.prepare([user('a'), assistant('b')])
    const same = await other.prepare([user('a'), assistant('b'), user('c')])
    expect(same.warnings).toEqual([])
    const { messages, warnings } = await one.prepare([user('a'), assistant('b'), user('something else')])
    expect(warnings.map(({ code }) => code)).toEqual(['store-conflict'])
    expect(messages).toHaveLength(3)
    await one.prepare([user('a'), assistant('b'), user('something else'), assistant('d')])
    expect(await stored(store, true)).toEqual(['a', 'b', 'c'])
  })
})
