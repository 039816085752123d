import { deepEqual, equal, ok } from 'node:assert/strict'
import { whileRunning } from '@palimpsest/sqlite-kit/store-suite'
import { edit } from '../harness/edit.ts'
import { letsOneThrough, refuses, stateOf } from '../harness/refuses.ts'
import { leaf } from '../harness/summaries.ts'
import { AT, contents, encode, say, talk, texts, userMessages } from '../harness/talk.ts'
import type { StoreCase } from '../store-case.ts'

export const appendCases: readonly StoreCase[] = [
  {
    id: 'S01',
    title: 'numbers messages from 0 in the order in which they came',
    async run(harness) {
      const session = await talk(harness.create(), 'a')
      const start = { nextSeq: 0, nextSummary: 1, version: 0, replaced: [], createdAt: AT }
      deepEqual(await session.head(), start)
      const messages = [encode({ role: 'system', content: 'Be brief.' }), ...userMessages('one', 'two')]
      const head = await session.append({ nextSeq: 0, messages, at: AT + 1 })
      deepEqual(head, { ...start, nextSeq: 3 })
      await session.append({ nextSeq: 3, messages: userMessages('three'), at: AT + 2 })
      const stored = await session.messages({ limit: 10 })
      deepEqual(
        stored.map(({ seq, role, at }) => [seq, role, at]),
        [
          [0, 'system', AT + 1],
          [1, 'user', AT + 1],
          [2, 'user', AT + 1],
          [3, 'user', AT + 2],
        ],
      )
    },
  },
  {
    id: 'S02',
    title: 'refuses a writer that does not know the last message, and writes nothing of it',
    async run(harness) {
      const session = await talk(harness.create(), 'a', 'one', 'two')
      const before = await stateOf(session)
      for (const nextSeq of [0, 1, 3, -1, 1.5])
        await refuses(
          () => session.append({ nextSeq, messages: userMessages('late'), at: AT }),
          'STORE_CONFLICT',
          `an append at m${nextSeq} when m2 is next`,
        )
      deepEqual(await stateOf(session), before, 'the session after appends that were refused')
    },
  },
  {
    id: 'S03',
    title: 'takes an append without messages for nothing',
    async run(harness) {
      const session = await talk(harness.create(), 'a', 'one')
      const before = await stateOf(session)
      await session.append({ nextSeq: 1, messages: [], at: AT + 9 })
      deepEqual(await stateOf(session), before)
    },
  },
  {
    id: 'S04',
    title: 'shows every handle of a session the same, and lets the slower of two writers read again',
    async run(harness) {
      const store = harness.create()
      const [left, right] = [await talk(store, 'a'), await talk(store, 'a')]
      for (let turn = 0; turn < 20; turn++) await say(turn % 2 === 0 ? left : right, `turn ${turn}`)
      equal((await left.head()).nextSeq, 20)
      deepEqual(await contents(left), await contents(right))
      const late = { nextSeq: 20, at: AT } as const
      await left.append({ ...late, messages: userMessages('first') })
      await refuses(
        () => right.append({ ...late, messages: userMessages('second') }),
        'STORE_CONFLICT',
        'the slower of two appends at m20',
      )
      equal((await contents(right)).at(-1), 'first')
    },
  },
  {
    id: 'S05',
    title: 'lets exactly one of many writers at the same time through',
    async run(harness) {
      const store = harness.create()
      const session = await talk(store, 'a')
      const writers = texts(10, 'writer')
      const append = (text: string) => session.append({ nextSeq: 0, messages: userMessages(text), at: AT })
      const appends = letsOneThrough(writers.map(append), 'STORE_CONFLICT', 'appends')
      await whileRunning(appends, async () => {
        const { nextSeq } = await session.head()
        ok((await contents(session)).length >= nextSeq, 'messages that the head counts')
      })
      equal((await contents(session)).length, 1)
      const input = { version: 0, create: [await leaf(session, 1, 0, 0)], summaries: [1], at: AT }
      const commit = () => session.commit({ ...input, reason: 'compaction' })
      const commits = letsOneThrough(writers.map(commit), 'STORE_CONFLICT', 'commits')
      await whileRunning(commits, async () => {
        const { version, nodes } = await session.frontier()
        equal(nodes.length, version, 'summaries of the frontier')
      })
      equal((await session.head()).version, 1)
      const fork = () => session.fork({ key: 'b', seq: 1, summaries: [], at: AT })
      await letsOneThrough(writers.map(fork), 'EXISTS', 'forks')
      equal((await store.list({ limit: 9 })).length, 2)
    },
  },
  {
    id: 'S06',
    title: 'keeps identical messages apart',
    async run(harness) {
      const session = await talk(harness.create(), 'a', 'again', 'again', 'again')
      await say(session, 'again')
      const messages = await session.messages({ limit: 10 })
      deepEqual(
        messages.map(({ seq }) => seq),
        [0, 1, 2, 3],
      )
      equal(new Set(messages.map(({ hash }) => hash)).size, 1, 'hashes of four identical messages')
    },
  },
  {
    id: 'S07',
    title: 'keeps what it was given, whatever its callers do to their objects afterwards',
    async run(harness) {
      const session = await talk(harness.create(), 'a')
      const [message] = userMessages('kept')
      if (message === undefined) throw new Error('there is no message')
      const given = { ...message }
      const list = [given]
      await session.append({ nextSeq: 0, messages: list, at: AT })
      list.length = 0
      Object.assign(given, { json: 'changed', role: 'changed' })
      const [read] = await session.messages({ limit: 1 })
      try {
        Object.assign(read ?? {}, { json: 'changed', seq: 7 })
        Object.assign(await session.head(), { nextSeq: 9 })
      } catch {
        // A frozen message cannot be changed either.
      }
      deepEqual(await contents(session), ['kept'])
      equal((await session.head()).nextSeq, 1)
    },
  },
  {
    id: 'S08',
    title: "keeps a message's own time, and the append's for the others",
    async run(harness) {
      const store = harness.create()
      const session = await talk(store, 'a')
      const [early, late] = userMessages('early', 'late')
      if (early === undefined || late === undefined) throw new Error('there are no messages')
      await session.append({ nextSeq: 0, messages: [{ ...early, at: AT - 5 }, late], at: AT + 1 })
      const stored = await session.messages({ limit: 10 })
      deepEqual(
        stored.map(({ at }) => at),
        [AT - 5, AT + 1],
      )
      await session.append({ nextSeq: 2, messages: [{ ...early, at: AT + 2 }], at: AT + 9 })
      equal((await store.list({ limit: 1 }))[0]?.lastAt, AT + 2, 'the time of the last message in a list')
    },
  },
  {
    id: 'S09',
    title: 'refuses a writer that does not know of an edit, when it names the frontier that it knows',
    async run(harness) {
      const session = await talk(harness.create(), 'a', ...texts(3))
      const known = await session.head()
      equal((await edit(session, 2, [])).nextSeq, known.nextSeq, 'what the number of the next message tells')
      const before = await stateOf(session)
      const { nextSeq, version } = known
      const messages = userMessages('behind what is replaced')
      for (const stale of [version, version + 2, -1])
        await refuses(
          () => session.append({ nextSeq, version: stale, messages, at: AT }),
          'STORE_CONFLICT',
          `an append on version ${stale} of the frontier`,
        )
      await refuses(
        () => session.append({ nextSeq, version, messages: [], at: AT }),
        'STORE_CONFLICT',
        'an append of nothing on an old version of the frontier',
      )
      deepEqual(await stateOf(session), before, 'the session after appends that were refused')
      await session.append({ nextSeq, version: version + 1, messages, at: AT })
      deepEqual(await contents(session), ['text 0', 'text 1', 'behind what is replaced'])
    },
  },
]
