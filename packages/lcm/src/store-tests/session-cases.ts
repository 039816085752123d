import { deepEqual, equal, rejects } from 'node:assert/strict'
import { hostileRefs } from '@palimpsest/sqlite-kit/store-suite'
import type { CandidateQuery } from '../store/lcm-session.ts'
import type { LcmStore } from '../store/lcm-store.ts'
import {
  AT,
  compactTo,
  contents,
  numbersOf,
  refuses,
  say,
  stateOf,
  talk,
  texts,
  userMessage,
  userMessages,
} from './harness.ts'
import { defineCases } from './store-case.ts'

const EVERYTHING: CandidateQuery = { where: [], order: 'oldest', limit: 1_000 }
const SECRET: CandidateQuery = { ...EVERYTHING, where: [[{ kind: 'word', text: 'secret' }]] }

/** Cases of one principal's data hidden from another. */
export const isolationCases = defineCases({
  async 'S40 keeps sessions apart whose messages and summaries have the same numbers'(harness) {
    const store = harness.create()
    const words = ['secret', 'open']
    const sessions = await Promise.all(words.map((word) => talk(store, word, ...texts(6, word))))
    for (const [index, session] of sessions.entries()) {
      const word = words[index] ?? ''
      await compactTo(session, 2, `${word} summary`)
      await say(session, `${word} again`)
    }
    const [secret, open] = sessions
    if (secret === undefined || open === undefined) throw new Error('there are two sessions')
    deepEqual(await contents(open), [...texts(6, 'open'), 'open again'])
    deepEqual(await contents(secret), [...texts(6, 'secret'), 'secret again'])
    const found = (await open.candidates(SECRET)).filter(({ text }) => text.includes('secret'))
    deepEqual(found, [], 'what a search in one session finds of another')
    deepEqual(
      (await open.summaryCandidates(EVERYTHING)).map(({ text }) => text),
      ['open summary'],
    )
    deepEqual(
      (await open.summaries([1, 2])).map(({ text }) => text),
      ['open summary'],
    )
    equal((await open.head()).nextSeq, 7)
    equal((await secret.head()).nextSeq, 7)
    deepEqual(numbersOf(await secret.frontier()), [1])
  },

  async 'S41 keeps principals apart that call their sessions the same'(harness) {
    const store = harness.create()
    const [mine, yours] = await Promise.all(
      ['me', 'you'].map((principal) => store.session({ principal, key: 'notes' }, AT)),
    )
    if (mine === undefined || yours === undefined) throw new Error('there are two sessions')
    await say(mine, 'my secret')
    deepEqual(await contents(yours), [])
    deepEqual(await yours.candidates(SECRET), [])
    equal(await store.find({ key: 'notes' }), null, 'the session of that name of the default principal')
    deepEqual(
      (await store.list({ principal: 'you', limit: 9 })).map(({ messages }) => messages),
      [0],
    )
  },

  async 'S42 takes any text but an empty one for the name of a session, any for a principal, and no two for one'(
    harness,
  ) {
    const store = harness.create()
    const refs = [{ principal: '', key: 'a' }, ...hostileRefs()]
    for (const ref of refs) await say(await store.session(ref, AT), JSON.stringify(ref))
    for (const ref of refs) {
      const session = await store.find(ref)
      deepEqual([session?.principal, session?.key], [ref.principal, ref.key])
      if (session !== null) deepEqual(await contents(session), [JSON.stringify(ref)])
    }
    for (const key of texts(30)) await store.session({ key }, AT)
    equal((await store.list({ limit: 1_000 })).length, refs.length + 30)
    await rejects(() => store.session({ key: '' }, AT), { code: 'INVALID_OPTION' })
  },

  async 'S43 makes a session when it is opened, and finds none that never was'(harness) {
    const store = harness.create()
    equal(await store.find({ key: 'a' }), null)
    const handles = await Promise.all(texts(5).map(() => store.session({ key: 'a' }, AT)))
    for (const [index, handle] of handles.entries()) await say(handle, `handle ${index}`)
    const made = await store.session({ key: 'a' }, AT)
    equal(made.principal, 'local')
    equal((await made.head()).nextSeq, 5, 'messages of a session that was made by five at the same time')
    await store.session({ key: 'a' }, AT + 50)
    equal((await made.head()).createdAt, AT, 'when a session that was opened twice came to be')
    equal((await store.find({ principal: 'local', key: 'a' }))?.key, 'a')
    equal((await store.list({ limit: 9 })).length, 1)
  },
})

export const wholeStoreCases = defineCases({
  async 'S100 lists sessions by principal and key, page by page'(harness) {
    const store = harness.create()
    const refs = ['b', 'a', 'c'].flatMap((principal) =>
      ['2', '10', 'é', '1', '😀', '\uffee', 'Z', 'a'].map((key) => ({ principal, key })),
    )
    for (const ref of refs) await store.session(ref, AT)
    const keys = ['1', '10', '2', 'Z', 'a', 'é', '\uffee', '😀']
    const expected = ['a', 'b', 'c'].flatMap((principal) => keys.map((key) => ({ principal, key })))
    const listed: { principal: string; key: string }[] = []
    for (let pages = 0; pages < 9; pages++) {
      const after = listed.at(-1)
      const page = await store.list({ limit: 5, ...(after === undefined ? {} : { after }) })
      listed.push(...page.map(({ principal, key }) => ({ principal, key })))
      if (page.length < 5) break
    }
    deepEqual(listed, expected, 'in the order of their UTF-8 bytes')
    const own = await store.list({ principal: 'b', after: { principal: 'b', key: '2' }, limit: 2 })
    deepEqual(
      own.map(({ key }) => key),
      ['Z', 'a'],
    )
    deepEqual(await store.list({ limit: 0 }), [])
    deepEqual(await store.list({ principal: 'nobody', limit: 9 }), [])
  },

  async 'S101 counts what each session holds'(harness) {
    const store = harness.create()
    const session = await talk(store, 'a', ...texts(4))
    await compactTo(session, 1)
    await session.append({
      nextSeq: 4,
      messages: userMessages('new'),
      at: AT + 70,
      version: 1,
      replace: { from: 3, summaries: [1] },
    })
    await store.session({ key: 'b' }, AT + 80)
    deepEqual(await store.list({ limit: 9 }), [
      { principal: 'local', key: 'a', messages: 5, summaries: 1, createdAt: AT, lastAt: AT + 70 },
      { principal: 'local', key: 'b', messages: 0, summaries: 0, createdAt: AT + 80, lastAt: AT + 80 },
    ])
  },

  async 'S102 says that all is well when it is, and has nothing to repair'(harness) {
    const store = harness.create()
    deepEqual(await store.check(), [])
    const session = await talk(store, 'a', ...texts(20))
    await compactTo(session, 9)
    await session.forget({ first: 1, last: 1, at: AT, reason: 'asked' })
    deepEqual(await store.check(), [])
    const before = await stateOf(session)
    deepEqual(await store.repair(), [])
    deepEqual(await stateOf(session), before)
  },

  async 'S104 refuses every call after it was closed, and is closed only once'(harness) {
    const store = harness.create()
    const session = await talk(store, 'a', ...texts(3))
    await Promise.all([store.close(), store.close()])
    await store.close()
    const query = { where: [], order: 'oldest', limit: 1 } as const
    const calls: Record<string, () => Promise<unknown>> = {
      session: () => store.session({ key: 'b' }, AT),
      find: () => store.find({ key: 'a' }),
      list: () => store.list({ limit: 1 }),
      check: () => store.check(),
      repair: () => store.repair(),
      head: () => session.head(),
      append: () => session.append({ nextSeq: 3, messages: userMessages('late'), at: AT }),
      messages: () => session.messages({ limit: 1 }),
      compare: () => session.compare([0], [userMessage('1')]),
      candidates: () => session.candidates(query),
      summaryCandidates: () => session.summaryCandidates(query),
      frontier: () => session.frontier(),
      versions: () => session.versions({ limit: 1 }),
      summaries: () => session.summaries([1]),
      commit: () => session.commit({ version: 0, create: [], summaries: [], reason: 'undo', at: AT }),
      forget: () => session.forget({ first: 0, last: 0, at: AT, reason: 'late' }),
      acquireLease: () => session.acquireLease({ holder: 'me', now: AT, ttl: 1 }),
      releaseLease: () => session.releaseLease({ holder: 'me', token: 1 }),
    }
    for (const [name, call] of Object.entries(calls))
      await refuses(call, 'STORE_CLOSED', `${name}() after close()`)
  },

  async 'S106* has everything again after it was opened again'(harness) {
    const store = harness.create()
    const session = await talk(store, 'a', ...texts(6))
    await compactTo(session, 1)
    await session.append({
      nextSeq: 6,
      messages: userMessages('new'),
      at: AT,
      version: 1,
      replace: { from: 4, summaries: [1] },
    })
    await talk(store, 'b', 'own')
    await session.forget({ first: 2, last: 2, at: AT, reason: 'asked' })
    const lease = await session.acquireLease({ holder: 'me', now: AT, ttl: 1_000 })
    const expected = await everythingOf(store)
    await store.close()
    const again = harness.reopen(store)
    deepEqual(await everythingOf(again), expected)
    const back = await again.session({ key: 'a' }, AT + 5)
    equal(await back.acquireLease({ holder: 'you', now: AT + 1, ttl: 1 }), null, 'the lease of another one')
    deepEqual(await back.acquireLease({ holder: 'me', now: AT + 1, ttl: 1 }), lease)
    await say(back, 'goes on')
    equal((await contents(back)).at(-1), 'goes on')
  },

  async 'S107* shows what is written under one handle of the file to the other at once, and refuses the slower writer'(
    harness,
  ) {
    const store = harness.create()
    const left = await talk(store, 'a', 'one')
    const right = await harness.reopen(store).session({ key: 'a' }, AT)
    for (let turn = 0; turn < 10; turn++) await say(turn % 2 === 0 ? left : right, `turn ${turn}`)
    deepEqual(await contents(left), await contents(right))
    equal((await left.head()).nextSeq, 11)
    const late = { nextSeq: 11, messages: userMessages('same number'), at: AT }
    const outcomes = await Promise.allSettled([left.append(late), right.append(late)])
    equal(
      outcomes.filter(({ status }) => status === 'fulfilled').length,
      1,
      'appends at the same number that went through',
    )
    await compactTo(left, 3)
    equal((await right.head()).version, 1)
  },
})

async function everythingOf(store: LcmStore): Promise<unknown> {
  const sessions = await store.list({ limit: 100 })
  return Promise.all(
    sessions.map(async (info) => {
      const session = await store.find(info)
      const query = { where: [[{ kind: 'word', text: 'text' }]], order: 'oldest', limit: 9 } as const
      const found = await session?.candidates(query)
      return [info, session && (await stateOf(session)), found]
    }),
  )
}
