import { deepEqual, equal } from 'node:assert/strict'
import type { CandidateQuery } from '../../store/candidate-query.ts'
import { edit } from '../harness/edit.ts'
import { refuses, stateOf } from '../harness/refuses.ts'
import { commit, compactTo, condense, condenseAll, leaf, numbersOf } from '../harness/summaries.ts'
import { AT, contents, say, talk, texts } from '../harness/talk.ts'
import type { StoreCase } from '../store-case.ts'

const ALL: CandidateQuery = { where: [], order: 'oldest', limit: 1_000 }

export const forkCases: readonly StoreCase[] = [
  {
    id: 'S70',
    title: 'shares what came before a fork, and goes on from there in both sessions apart',
    async run(harness) {
      const store = harness.create()
      const parent = await talk(store, 'parent', ...texts(6))
      await compactTo(parent, 1)
      const child = await parent.fork({ key: 'child', seq: 4, summaries: [1], at: AT + 1 })
      deepEqual(await child.head(), {
        ...{ nextSeq: 4, nextSummary: 2, version: 0, replaced: [], createdAt: AT + 1 },
        parent: { key: 'parent', seq: 4 },
      })
      await say(child, 'child 4')
      await say(parent, 'parent 6')
      deepEqual(await contents(child), [...texts(4), 'child 4'])
      deepEqual(await contents(parent), [...texts(6), 'parent 6'])
      await compactTo(child, 3, 'of the child')
      await compactTo(parent, 3, 'of the parent')
      deepEqual(
        (await child.frontier()).nodes.map(({ text }) => text),
        ['what m0 to m1 say', 'of the child'],
      )
      deepEqual(
        (await parent.frontier()).nodes.map(({ text }) => text),
        ['what m0 to m1 say', 'of the parent'],
      )
      deepEqual(
        (await child.summaryCandidates(ALL)).map(({ text }) => text),
        ['what m0 to m1 say', 'of the child'],
        'summaries of the child, one of which has a number of the parent',
      )
      deepEqual(await (await store.find({ key: 'child' }))?.head(), await child.head())
    },
  },
  {
    id: 'S71',
    title: 'shows a fork of its parent only what lies before it, in searches and by number too',
    async run(harness) {
      const parent = await talk(harness.create(), 'parent', ...texts(8))
      for (const last of [1, 3, 4]) await compactTo(parent, last)
      await commit(parent, [condense(4, await parent.summaries([2, 3]))], [1, 4])
      const child = await parent.fork({ key: 'child', seq: 4, summaries: [1, 2], at: AT })
      deepEqual(
        (await child.candidates(ALL)).map(({ seq }) => seq),
        [0, 1, 2, 3],
      )
      deepEqual(
        (await child.messages({ limit: 9, order: 'newest' })).map(({ seq }) => seq),
        [3, 2, 1, 0],
      )
      deepEqual(
        (await child.messages({ first: 4, last: 7, limit: 9 })).map(({ seq }) => seq),
        [],
      )
      const shared = (await parent.messages({ first: 2, last: 5, limit: 9 })).map(({ json }) =>
        JSON.parse(json),
      )
      deepEqual(await child.compare([2, 3, 4, 5], shared), [true, true, false, false])
      deepEqual(
        (await child.summaryCandidates(ALL)).map(({ number }) => number),
        [1, 2],
      )
      deepEqual(
        (await child.summaries([1, 2, 3, 4])).map(({ number }) => number),
        [1, 2],
      )
      equal((await child.head()).nextSummary, 5, 'the next number behind a summary that is not shared')
      await say(child, 'child 4')
      deepEqual(
        (await child.candidates({ ...ALL, order: 'newest', limit: 2 })).map(({ text }) => text),
        ['child 4', 'text 3'],
      )
      const word: CandidateQuery = { ...ALL, where: [[{ kind: 'word', text: 'text' }]] }
      deepEqual(
        (await child.candidates(word)).map(({ seq }) => seq),
        [0, 1, 2, 3],
      )
    },
  },
  {
    id: 'S72',
    title: 'forks a fork, before and behind its own beginning',
    async run(harness) {
      const store = harness.create()
      const first = await talk(store, 'first', ...texts(6))
      for (const last of [1, 2, 4]) await compactTo(first, last, `first to m${last}`)
      const second = await first.fork({ key: 'second', seq: 4, summaries: [], at: AT })
      await say(second, 'second 4', 'second 5')
      await compactTo(second, 1, 'second to m1')
      const behind = await second.fork({ key: 'behind', seq: 5, summaries: [4], at: AT })
      const before = await second.fork({ key: 'before', seq: 2, summaries: [4], at: AT })
      await say(behind, 'behind 5')
      await say(before, 'before 2')
      deepEqual(await contents(behind), [...texts(4), 'second 4', 'behind 5'])
      deepEqual(await contents(before), [...texts(2), 'before 2'])
      deepEqual(numbersOf(await behind.frontier()), [4])
      const shared = ['first to m1', 'first to m2', 'second to m1']
      for (const [session, expected] of [
        [behind, shared],
        [before, shared.toSpliced(1, 1)],
      ] as const)
        for (const found of [await session.summaryCandidates(ALL), await session.summaries([1, 2, 3, 4])])
          deepEqual(
            found.map(({ text }) => text),
            expected,
            session.key,
          )
      deepEqual(
        (await before.candidates(ALL)).map(({ text }) => text),
        [...texts(2), 'before 2'],
      )
      deepEqual((await behind.head()).parent, { key: 'second', seq: 5 })
    },
  },
  {
    id: 'S73',
    title: 'leaves a fork as it is when its parent is edited, and the parent when the fork is',
    async run(harness) {
      const parent = await talk(harness.create(), 'parent', ...texts(6))
      const child = await parent.fork({ key: 'child', seq: 5, summaries: [], at: AT })
      await edit(parent, 2, [], 'parent edited')
      deepEqual(await contents(child), texts(5))
      await edit(child, 4, [], 'child edited')
      deepEqual(await contents(child), [...texts(4), 'child edited'])
      deepEqual(await contents(parent), [...texts(2), 'parent edited'])
      deepEqual((await child.head()).replaced, [{ first: 4, last: 4 }])
      deepEqual(
        (await child.messages({ limit: 9, includeReplaced: true })).map(({ seq, replaced }) => [
          seq,
          replaced,
        ]),
        [...[0, 1, 2, 3].map((seq) => [seq, false]), [4, true], [5, false]],
      )
    },
  },
  {
    id: 'S74',
    title: 'takes over what was replaced before the fork, as far as it reaches',
    async run(harness) {
      const parent = await talk(harness.create(), 'parent', ...texts(6))
      await edit(parent, 2, [], 'new 6', 'new 7')
      const child = await parent.fork({ key: 'child', seq: 7, summaries: [], at: AT })
      deepEqual(await contents(child), [...texts(2), 'new 6'])
      const inside = await parent.fork({ key: 'inside', seq: 4, summaries: [], at: AT })
      deepEqual((await inside.head()).replaced, [{ first: 2, last: 3 }])
      await commit(child, [await leaf(child, 1, 0, 6)], [1])
      deepEqual(numbersOf(await child.frontier()), [1])
    },
  },
  {
    id: 'S75',
    title:
      'refuses a fork under a name that is taken, behind the last message, or with a frontier that does not fit',
    async run(harness) {
      const store = harness.create()
      const parent = await talk(store, 'parent', ...texts(6))
      await talk(store, 'taken')
      await compactTo(parent, 1)
      await compactTo(parent, 3)
      await condenseAll(parent)
      const before = await stateOf(parent)
      const input = { key: 'child', seq: 3, summaries: [1], at: AT }
      for (const key of ['taken', 'parent'])
        await refuses(() => parent.fork({ ...input, key }), 'EXISTS', `a fork with the key ${key}`)
      for (const seq of [7, -1, 0.5])
        await refuses(
          () => parent.fork({ ...input, seq, summaries: [] }),
          'NOT_FOUND',
          `a fork at m${seq} of 6`,
        )
      for (const summaries of [[3], [1, 2], [2], [9]])
        await refuses(
          () => parent.fork({ ...input, summaries }),
          'INVALID_FRONTIER',
          `a fork at m3 with s${summaries}`,
        )
      equal(await store.find({ key: 'child' }), null, 'the fork that was refused')
      deepEqual(await stateOf(parent), before)
    },
  },
  {
    id: 'S76',
    title: 'forks at the very beginning and behind the last message',
    async run(harness) {
      const parent = await talk(harness.create(), 'parent', ...texts(3))
      const empty = await parent.fork({ key: 'empty', seq: 0, summaries: [], at: AT })
      const whole = await parent.fork({ key: 'whole', seq: 3, summaries: [], at: AT })
      await say(empty, 'fresh')
      deepEqual(await contents(empty), ['fresh'])
      deepEqual(await contents(whole), texts(3))
      const versions = await whole.versions({ limit: 9 })
      deepEqual(versions, [{ version: 0, reason: 'fork', nextSeq: 3, at: AT }])
    },
  },
]
