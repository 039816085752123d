import { deepEqual, equal, rejects } from 'node:assert/strict'
import { hostileRefs } from '@palimpsest/sqlite-kit/store-suite'
import type { CandidateQuery } from '../../store/lcm-session.ts'
import { compactTo, numbersOf } from '../harness/summaries.ts'
import { AT, contents, say, talk, texts } from '../harness/talk.ts'
import type { StoreCase } from '../store-case.ts'

const EVERYTHING: CandidateQuery = { where: [], order: 'oldest', limit: 1_000 }
const SECRET: CandidateQuery = { ...EVERYTHING, where: [[{ kind: 'word', text: 'secret' }]] }

/** Cases of one principal's data hidden from another. */
export const isolationCases: readonly StoreCase[] = [
  {
    id: 'S40',
    title: 'keeps sessions apart whose messages and summaries have the same numbers',
    async run(harness) {
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
  },
  {
    id: 'S41',
    title: 'keeps principals apart that call their sessions the same',
    async run(harness) {
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
  },
  {
    id: 'S42',
    title:
      'takes any text but an empty one for the name of a session, any for a principal, and no two for one',
    async run(harness) {
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
  },
  {
    id: 'S43',
    title: 'makes a session when it is opened, and finds none that never was',
    async run(harness) {
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
  },
]
