import { deepEqual, equal, ok } from 'node:assert/strict'
import type { CandidateQuery } from '../../store/candidate-query.ts'
import type { LcmSession, SessionHead } from '../../store/lcm-session.ts'
import { collect } from '../harness/collect.ts'
import { refuses, stateOf } from '../harness/refuses.ts'
import { commit, compactTo, condenseAll, leaf, numbersOf } from '../harness/summaries.ts'
import { AT, contents, say, talk, texts, userMessage, userMessages } from '../harness/talk.ts'
import type { StoreCase } from '../store-case.ts'

const SECRET: CandidateQuery = {
  where: [[{ kind: 'substring', text: 'secret' }]],
  order: 'oldest',
  limit: 100,
}
const tombstone = { at: AT + 9, reason: 'the user asked\0\ud83d' }

/** Forgets one message or a run. */
const forget = (session: LcmSession, first: number, last = first) =>
  session.forget({ first, last, ...tombstone })

/** The only operation that loses something. */
export const forgetCases: readonly StoreCase[] = [
  {
    id: 'S90',
    title:
      'deletes the content of a message and of the summaries over it, and keeps numbers, hashes and the reason',
    async run(harness) {
      const store = harness.create()
      const session = await talk(store, 'a', 'one', 'my secret', 'three', 'four', 'five')
      await compactTo(session, 1, 'a secret\0\ud83d was told')
      await compactTo(session, 3, 'nothing')
      await condenseAll(session)
      const [before] = await session.messages({ first: 1, limit: 1 })
      const nodes = await session.summaries([1, 2, 3])
      deepEqual(await forget(session, 1), { messages: 1, summaries: [1, 3] })
      const [after] = await session.messages({ first: 1, limit: 1 })
      deepEqual(after, { ...before, json: '', forgotten: tombstone })
      deepEqual(await session.summaries([1, 2, 3]), [
        ...nodes.slice(0, 1).map((node) => ({ ...node, text: '', forgotten: tombstone })),
        ...nodes.slice(1, 2),
        ...nodes.slice(2, 3).map((node) => ({ ...node, text: '', forgotten: tombstone })),
      ])
      const searched = await session.candidates({ ...SECRET, where: [] })
      deepEqual(
        searched.map(({ seq }) => seq),
        [0, 2, 3, 4],
        'what a search for anything looks at',
      )
      deepEqual(await session.candidates(SECRET), [])
      deepEqual(await session.summaryCandidates(SECRET), [])
      const summaries = await session.summaryCandidates({ ...SECRET, where: [] })
      deepEqual(
        summaries.map(({ number }) => number),
        [2],
        'the summaries that it looks at',
      )
      deepEqual(await contents(session), ['one', '(forgotten)', 'three', 'four', 'five'])
      const said = ['one', 'my secret', 'three', 'four', 'another'].map(userMessage)
      deepEqual(await session.compare([0, 1, 2, 3, 4], said), [true, true, true, true, false])
      const dumped = JSON.stringify(await collect(store.dump({ principal: 'local', key: 'a' })))
      ok(!dumped.includes('secret'), 'the dump after forgetting')
      deepEqual(
        (await session.frontier()).nodes.map(({ number, text }) => [number, text]),
        [[3, '']],
      )
      deepEqual((await session.versions({ limit: 1 }))[0], {
        ...{ version: 4, reason: 'forget', nextSeq: 5, at: tombstone.at },
      })
    },
  },
  {
    id: 'S91',
    title: 'forgets a run, counts nothing twice, and nothing that is not there',
    async run(harness) {
      const session = await talk(harness.create(), 'a', ...texts(6))
      for (const last of [1, 3, 4]) await compactTo(session, last)
      deepEqual(await forget(session, 2, 2), { messages: 1, summaries: [2] })
      deepEqual(await forget(session, 2, 3), { messages: 1, summaries: [] })
      deepEqual(await forget(session, 1, 3), { messages: 1, summaries: [1] })
      deepEqual(await session.forget({ first: 2, last: 2, at: AT + 50, reason: 'again' }), {
        messages: 0,
        summaries: [],
      })
      const [stored] = await session.messages({ first: 2, limit: 1 })
      deepEqual(stored?.forgotten, tombstone, 'the reason that was given first')
      const nodes = await session.summaries([1, 2, 3])
      deepEqual(
        nodes.map(({ forgotten }) => forgotten),
        [tombstone, tombstone, undefined],
      )
      deepEqual(await forget(session, 6, 1_000), { messages: 0, summaries: [] })
      deepEqual(await forget(session, 5, 4), { messages: 0, summaries: [] })
      deepEqual(await forget(session, -3, 0), { messages: 1, summaries: [] })
      await say(session, 'goes on')
      equal((await session.head()).nextSeq, 7)
    },
  },
  {
    id: 'S92',
    title: 'leaves the other sessions alone, whose messages have the same numbers',
    async run(harness) {
      const store = harness.create()
      const [session, other] = [await talk(store, 'a', ...texts(4)), await talk(store, 'b', ...texts(4))]
      const child = await session.fork({ key: 'child', seq: 2, summaries: [], at: AT })
      const grandchild = await child.fork({ key: 'grandchild', seq: 1, summaries: [], at: AT })
      await say(child, ...texts(4).slice(2))
      await say(grandchild, ...texts(4).slice(1))
      const forgotten = new Map([other, grandchild, child, session].map((each, shared) => [each, shared]))
      for (const each of forgotten.keys()) {
        const leaves = await Promise.all([0, 1, 2, 3].map((seq) => leaf(each, seq + 1, seq, seq)))
        await commit(each, leaves, [1, 2, 3, 4])
      }
      deepEqual(await forget(session, 0, 2), { messages: 3, summaries: [1, 2, 3] })
      for (const [each, count] of forgotten) {
        const expected = texts(4).map((text, seq) => (seq < count ? '(forgotten)' : text))
        deepEqual(await contents(each), expected, each.key)
        deepEqual(
          (await each.summaries([1, 2, 3, 4])).map(({ text }) => text === ''),
          [0, 1, 2, 3].map((seq) => seq < count),
          `summaries of ${each.key}`,
        )
      }
    },
  },
  {
    id: 'S93',
    title: 'forgets what sessions share in all of them, with the summaries that any of them has of it',
    async run(harness) {
      const parent = await talk(harness.create(), 'parent', 'one', 'secret two', 'three', 'four')
      const child = await parent.fork({ key: 'child', seq: 3, summaries: [], at: AT })
      const sibling = await parent.fork({ key: 'sibling', seq: 1, summaries: [], at: AT })
      await say(child, 'secret of the child')
      await say(sibling, 'secret of the sibling')
      await compactTo(parent, 0, 'nothing')
      for (const session of [parent, child, sibling]) await compactTo(session, 1, 'a secret was told')
      for (const last of [2, 3]) await compactTo(child, last, 'a secret was told')
      deepEqual(await forget(child, 1), { messages: 1, summaries: [1] })
      for (const session of [parent, child]) {
        equal((await contents(session))[1], '(forgotten)', session.key)
        const [node] = await session.summaries([session === parent ? 2 : 1])
        equal(node?.text, '', `the summary of ${session.key}`)
      }
      equal((await sibling.summaries([1]))[0]?.text, 'a secret was told', 'a summary of what is not shared')
      deepEqual(
        (await child.candidates(SECRET)).map(({ seq }) => seq),
        [3],
      )
      deepEqual(await forget(child, 1, 3), { messages: 2, summaries: [2, 3] })
      deepEqual(await contents(parent), ['one', '(forgotten)', '(forgotten)', 'four'])
      deepEqual(await contents(child), ['one', '(forgotten)', '(forgotten)', '(forgotten)'])
    },
  },
  {
    id: 'S94',
    title: 'tells only those who write to a session that shares what was forgotten',
    async run(harness) {
      const store = harness.create()
      const parent = await talk(store, 'parent', ...texts(4))
      const child = await parent.fork({ key: 'child', seq: 3, summaries: [], at: AT })
      const grandchild = await child.fork({ key: 'grandchild', seq: 2, summaries: [], at: AT })
      const sibling = await parent.fork({ key: 'sibling', seq: 1, summaries: [], at: AT })
      const other = await talk(store, 'other', ...texts(4))
      const sharing = [parent, child, grandchild]
      for (const session of [...sharing, sibling, other]) await compactTo(session, 0)
      const heads = new Map<LcmSession, SessionHead>()
      for (const session of [...sharing, sibling, other]) heads.set(session, await session.head())
      await forget(child, 1)
      for (const [session, { nextSeq, version }] of heads) {
        const { key } = session
        const append = () => session.append({ nextSeq, version, messages: userMessages('late'), at: AT })
        const commit = () =>
          session.commit({ version, create: [], summaries: [], reason: 'compaction', at: AT })
        if (sharing.includes(session)) {
          await refuses(append, 'STORE_CONFLICT', `an append to ${key} by who knows what was forgotten`)
          await refuses(commit, 'STORE_CONFLICT', `a commit to ${key} by who knows what was forgotten`)
          deepEqual(numbersOf(await session.frontier()), [1], `the list of ${key}`)
          deepEqual(numbersOf(await session.frontier(version)), [1], `the list of ${key} before`)
        } else {
          await append()
          await commit()
        }
      }
      const before = await stateOf(parent)
      await forget(child, 1)
      deepEqual(await stateOf(parent), before, 'after what is forgotten was forgotten again')
    },
  },
]
