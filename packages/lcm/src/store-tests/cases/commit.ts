import { deepEqual, equal } from 'node:assert/strict'
import { refuses, stateOf } from '../harness/refuses.ts'
import { commit, compactTo, condense, condenseAll, leaf, numbersOf, seal } from '../harness/summaries.ts'
import { AT, encode, say, talk, texts, userMessages } from '../harness/talk.ts'
import type { StoreCase } from '../store-case.ts'

export const commitCases: readonly StoreCase[] = [
  {
    id: 'S60',
    title: 'makes new summaries the frontier in one step, and gives every field of them back',
    async run(harness) {
      const session = await talk(harness.create(), 'a', ...texts(8))
      const text = ' left\0\ud83d😀 cafe\u0301\r\n'
      const left = seal({
        ...(await leaf(session, 1, 0, 2, text)),
        ...{ tokens: 2 ** 40 + 0.5, sourceTokens: 2 ** 41 + 0.5, at: AT + 0.5, from: AT - 1.5, to: AT - 0.5 },
      })
      const right = await leaf(session, 2, 3, 5, '')
      const both = condense(3, [left, right], 'x'.repeat(100_000))
      const frontier = await commit(session, [left, right, both], [3])
      deepEqual(frontier, { version: 1, nodes: [both] })
      deepEqual(await session.frontier(), frontier)
      deepEqual(await session.summaries([1, 2, 3]), [left, right, both])
      const { nextSummary, version, nextSeq } = await session.head()
      deepEqual([nextSummary, version, nextSeq], [4, 1, 8])
    },
  },
  {
    id: 'S69',
    title: 'takes summaries of a later commit, which leave the frontier as it is',
    async run(harness) {
      const session = await talk(harness.create(), 'a', ...texts(8))
      const nodes = [await leaf(session, 1, 0, 1), await leaf(session, 2, 2, 3), await leaf(session, 3, 4, 5)]
      deepEqual(await commit(session, nodes.slice(0, 2), []), { version: 1, nodes: [] })
      deepEqual(await session.summaries([1, 2]), nodes.slice(0, 2))
      deepEqual(await commit(session, nodes.slice(2), [1, 2, 3]), { version: 2, nodes })
      deepEqual(await session.frontier(1), { version: 1, nodes: [] })
    },
  },
  {
    id: 'S61',
    title: 'gives summaries in the order asked for, and leaves out unknown numbers',
    async run(harness) {
      const session = await talk(harness.create(), 'a', ...texts(6))
      for (const last of [1, 3, 5]) await compactTo(session, last)
      const found = await session.summaries([3, 99, 1, 0, -1, 1.5, 3])
      deepEqual(
        found.map(({ number }) => number),
        [3, 1, 3],
      )
      await commit(session, [condense(4, await session.summaries([1, 2]))], [4, 3])
      deepEqual(numbersOf(await session.frontier()), [4, 3], 'a frontier in the order of the messages')
      await condenseAll(session)
      deepEqual(numbersOf(await session.frontier(4)), [4, 3], 'the same of an earlier version')
      deepEqual(await session.summaries([]), [])
      const many = Array.from({ length: 5_000 }, (_, index) => index)
      deepEqual(
        (await session.summaries(many)).map(({ number }) => number),
        [1, 2, 3, 4, 5],
      )
    },
  },
  {
    id: 'S62',
    title: 'refuses a commit that was planned on an older frontier, and writes nothing of it',
    async run(harness) {
      const store = harness.create()
      const session = await talk(store, 'a', ...texts(6))
      const other = await talk(store, 'a')
      const node = await leaf(session, 1, 0, 1)
      await compactTo(other, 2)
      const before = await stateOf(session)
      for (const version of [0, 2, -1])
        await refuses(
          () => session.commit({ version, create: [node], summaries: [1], reason: 'compaction', at: AT }),
          'STORE_CONFLICT',
          `a commit on version ${version} when it is 1`,
        )
      deepEqual(await stateOf(session), before)
    },
  },
  {
    id: 'S63',
    title: 'lets messages come while a summary is being written',
    async run(harness) {
      const session = await talk(harness.create(), 'a', ...texts(4))
      const node = await leaf(session, 1, 0, 1)
      await say(session, 'meanwhile')
      deepEqual(numbersOf(await commit(session, [node], [1])), [1])
      equal((await session.versions({ limit: 1 }))[0]?.nextSeq, 5)
    },
  },
  {
    id: 'S64',
    title: 'refuses a frontier that is no unbroken run from the first message, and writes nothing of it',
    async run(harness) {
      const session = await talk(harness.create(), 'a', ...texts(10))
      for (const last of [1, 3, 5]) await compactTo(session, last)
      const before = await stateOf(session)
      const gap = await leaf(session, 4, 7, 8)
      const overlap = await leaf(session, 4, 5, 7)
      const late = await leaf(session, 4, 1, 3)
      const beyond = { ...(await leaf(session, 4, 6, 9)), last: 10, messages: 5 }
      const wrongCount = { ...(await leaf(session, 4, 6, 8)), messages: 2 }
      const backwards = { ...(await leaf(session, 4, 6, 7)), last: 5, messages: 0 }
      const refused: Record<string, [Parameters<typeof commit>[1], number[]]> = {
        'a gap between summaries': [[gap], [1, 2, 3, 4]],
        'a gap where a summary was left out': [[], [1, 3]],
        'a gap at the beginning': [[], [2, 3]],
        'a beginning inside a run': [[late], [4]],
        'summaries that overlap': [[overlap], [1, 2, 3, 4]],
        'a summary twice': [[], [1, 1, 2, 3]],
        'summaries in the wrong order': [[], [2, 1, 3]],
        'a summary that is not there': [[], [1, 2, 3, 4]],
        'a summary of messages that are not there': [[beyond], [1, 2, 3, 4]],
        'a summary that counts its messages wrong': [[wrongCount], [1, 2, 3, 4]],
        'a summary of nothing': [[backwards], [1, 2, 3, 4]],
      }
      for (const [what, [create, summaries]] of Object.entries(refused))
        await refuses(() => commit(session, create, summaries), 'INVALID_FRONTIER', what)
      deepEqual(await stateOf(session), before)
    },
  },
  {
    id: 'S65',
    title: 'refuses new summaries with a wrong number, or over summaries that are not there before them',
    async run(harness) {
      const session = await talk(harness.create(), 'a', ...texts(6))
      await compactTo(session, 1)
      const before = await stateOf(session)
      const [next, skipped, taken] = [
        await leaf(session, 2, 2, 3),
        await leaf(session, 3, 2, 3),
        await leaf(session, 1, 2, 3),
      ]
      const [own] = await session.summaries([1])
      if (own === undefined) throw new Error('there is a summary')
      const over = condense(3, [own, next])
      const refused: Record<string, [Parameters<typeof commit>[1], number[]]> = {
        'a number that leaves one out': [[skipped], [1, 3]],
        'a number that is taken': [[taken], [1]],
        'a parent before its child': [[condense(2, [own, skipped]), skipped], [2]],
        'a child that is not there': [[{ ...over, number: 2, children: [1, 9] }], [2]],
        'itself as its child': [[{ ...over, number: 2, children: [1, 2] }], [2]],
      }
      for (const [what, [create, summaries]] of Object.entries(refused))
        await refuses(() => commit(session, create, summaries), 'INVALID_FRONTIER', `a summary with ${what}`)
      deepEqual(await stateOf(session), before)
    },
  },
  {
    id: 'S66',
    title: 'begins a frontier behind the leading instructions, and covers later ones',
    async run(harness) {
      const session = await talk(harness.create(), 'a')
      const instructions = [
        encode({ role: 'system', content: 'one' }),
        encode({ role: 'developer', content: 'two' }),
      ]
      const leading = Array.from({ length: 10 }, () => instructions).flat()
      const messages = [...leading, ...userMessages('hello'), ...instructions, ...userMessages('more')]
      await session.append({ nextSeq: 0, messages, at: AT })
      for (const first of [0, 19, 21]) {
        const node = await leaf(session, 1, first, 22)
        await refuses(
          () => commit(session, [node], [1]),
          'INVALID_FRONTIER',
          `a frontier that begins at m${first}`,
        )
      }
      deepEqual(numbersOf(await commit(session, [await leaf(session, 1, 20, 22)], [1])), [1])
    },
  },
  {
    id: 'S67',
    title: 'remembers every version of the frontier, why and when it came to be',
    async run(harness) {
      const session = await talk(harness.create(), 'a', ...texts(4))
      await compactTo(session, 1)
      await say(session, 'more')
      await compactTo(session, 3)
      await condenseAll(session)
      await session.commit({ version: 3, create: [], summaries: [1, 2], reason: 'undo', at: AT + 5 })
      const versions = await session.versions({ limit: 10 })
      deepEqual(versions, [
        { version: 4, reason: 'undo', nextSeq: 5, at: AT + 5 },
        { version: 3, reason: 'compaction', nextSeq: 5, at: AT },
        { version: 2, reason: 'compaction', nextSeq: 5, at: AT },
        { version: 1, reason: 'compaction', nextSeq: 4, at: AT },
        { version: 0, reason: 'start', nextSeq: 0, at: AT },
      ])
      deepEqual(await session.versions({ limit: 2 }), versions.slice(0, 2))
      deepEqual(await session.versions({ before: 3, limit: 2 }), versions.slice(2, 4))
      deepEqual(await session.versions({ before: 0, limit: 2 }), [])
      const lists = await Promise.all(
        [0, 1, 2, 3, 4].map(async (version) => numbersOf(await session.frontier(version))),
      )
      deepEqual(lists, [[], [1], [1, 2], [3], [1, 2]])
      for (const version of [5, -1, 0.5])
        await refuses(() => session.frontier(version), 'NOT_FOUND', `the frontier of version ${version}`)
    },
  },
]
