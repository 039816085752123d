import { deepEqual, equal } from 'node:assert/strict'
import { refuses, stateOf } from '../harness/refuses.ts'
import { commit, compactTo, condenseAll, leaf, numbersOf } from '../harness/summaries.ts'
import { AT, contents, edit, talk, texts, userMessages } from '../harness/talk.ts'
import type { StoreCase } from '../store-case.ts'

export const editCases: readonly StoreCase[] = [
  {
    id: 'S30',
    title: 'keeps what an edit replaces, shows it on request, and never gives its numbers again',
    async run(harness) {
      const session = await talk(harness.create(), 'a', ...texts(4))
      const head = await edit(session, 2, [], 'new 2', 'new 3')
      equal(head.nextSeq, 6)
      deepEqual(head.replaced, [{ first: 2, last: 3 }])
      deepEqual(await contents(session), ['text 0', 'text 1', 'new 2', 'new 3'])
      deepEqual(await contents(session, true), [...texts(4), 'new 2', 'new 3'])
      const messages = await session.messages({ limit: 10, includeReplaced: true })
      deepEqual(
        messages.map(({ seq, replaced }) => [seq, replaced]),
        [0, 1, 2, 3, 4, 5].map((seq) => [seq, seq === 2 || seq === 3]),
      )
      const newest = await session.messages({ limit: 3, order: 'newest' })
      deepEqual(
        newest.map(({ seq }) => seq),
        [5, 4, 1],
      )
      await edit(session, 5, [], 'newer 5')
      const live = [0, 1, 4, 6]
      for (const limit of [0, 1, 2, 3, 4, 5]) {
        const query = { where: [], order: 'newest', limit } as const
        for (const rows of [await session.messages(query), await session.candidates(query)])
          deepEqual(
            rows.map(({ seq }) => seq),
            live.toReversed().slice(0, limit),
            `the newest ${limit}`,
          )
        deepEqual(
          (await session.messages({ limit })).map(({ seq }) => seq),
          live.slice(0, limit),
          `the oldest ${limit}`,
        )
      }
    },
  },
  {
    id: 'S31',
    title: 'makes one run of replaced messages of runs that touch, and keeps the others apart',
    async run(harness) {
      const session = await talk(harness.create(), 'a', ...texts(10))
      await edit(session, 8, [], 'x', 'y', 'z')
      deepEqual((await edit(session, 12, [], 'v')).replaced, [
        { first: 8, last: 9 },
        { first: 12, last: 12 },
      ])
      deepEqual((await edit(session, 10, [])).replaced, [{ first: 8, last: 13 }])
      deepEqual((await edit(session, 3, [], 'w')).replaced, [{ first: 3, last: 13 }])
      deepEqual(await contents(session), ['text 0', 'text 1', 'text 2', 'w'])
      deepEqual((await edit(session, 0, [], 'all new')).replaced, [{ first: 0, last: 14 }])
      deepEqual(await contents(session), ['all new'])
    },
  },
  {
    id: 'S32',
    title: 'counts an edit as a new version, of the moment before the messages that it brings',
    async run(harness) {
      const session = await talk(harness.create(), 'a', ...texts(4))
      equal((await edit(session, 4, [], 'nothing was replaced')).version, 1)
      equal((await edit(session, 2, [], 'new')).version, 2)
      const versions = await session.versions({ limit: 1 })
      deepEqual(versions, [{ version: 2, reason: 'edit', nextSeq: 5, at: AT + 99 }])
    },
  },
  {
    id: 'S33',
    title: 'leaves the frontier that an edit names, and takes none that covers what it replaces',
    async run(harness) {
      const session = await talk(harness.create(), 'a', ...texts(9))
      await compactTo(session, 2)
      await compactTo(session, 5)
      await condenseAll(session)
      const before = await stateOf(session)
      const refused = { 'the condensed summary': [3], 'both leaves': [1, 2], 'the later leaf alone': [2] }
      for (const [what, summaries] of Object.entries(refused))
        await refuses(
          () => edit(session, 4, summaries, 'new'),
          'INVALID_FRONTIER',
          `an edit that leaves ${what}`,
        )
      deepEqual(await stateOf(session), before, 'the session after edits that were refused')
      await edit(session, 4, [1], 'new')
      deepEqual(numbersOf(await session.frontier()), [1])
      deepEqual(numbersOf(await session.frontier(3)), [3], 'the frontier of the version before the edit')
    },
  },
  {
    id: 'S34',
    title: 'refuses an edit that does not know the frontier or the last message, and does nothing of it',
    async run(harness) {
      const session = await talk(harness.create(), 'a', ...texts(4))
      await compactTo(session, 1)
      const before = await stateOf(session)
      const input = { nextSeq: 4, messages: userMessages('new'), at: AT, version: 1 }
      const replace = { from: 3, summaries: [1] }
      const stale = { ...input, version: 0, replace }
      await refuses(() => session.append(stale), 'STORE_CONFLICT', 'an edit on an old frontier')
      const { version: _, ...blind } = { ...input, replace }
      await refuses(() => session.append(blind), 'STORE_CONFLICT', 'an edit that names no frontier')
      const late = { ...input, nextSeq: 3, replace }
      await refuses(() => session.append(late), 'STORE_CONFLICT', 'an edit at an old number')
      for (const from of [5, -1, 0.5]) {
        const beyond = { ...input, replace: { ...replace, from } }
        await refuses(() => session.append(beyond), 'NOT_FOUND', `an edit from m${from} on when m4 is next`)
      }
      deepEqual(await stateOf(session), before, 'the session after edits that were refused')
    },
  },
  {
    id: 'S35',
    title: 'begins a frontier at the first message that is left, however much was replaced before it',
    async run(harness) {
      const session = await talk(harness.create(), 'a', ...texts(3))
      await edit(session, 0, [], ...texts(4, 'new'))
      await commit(session, [await leaf(session, 1, 3, 5)], [1])
      deepEqual(numbersOf(await session.frontier()), [1])
      await edit(session, 6, [1], 'newer')
      await commit(session, [await leaf(session, 2, 7, 7)], [1, 2])
      const across = await leaf(session, 3, 3, 7)
      equal(across.messages, 4, 'messages that a summary over a replaced one covers')
      deepEqual(numbersOf(await commit(session, [across], [3])), [3])
    },
  },
]
