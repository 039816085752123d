import { deepEqual, equal, ok } from 'node:assert/strict'
import { whileRunning } from '@palimpsest/sqlite-kit/store-suite'
import { letsOneThrough, refuses, stateOf } from '../harness/refuses.ts'
import { leaf } from '../harness/summaries.ts'
import { AT, contents, edit, encode, say, talk, texts, userMessages } from '../harness/talk.ts'
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
