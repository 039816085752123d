import { deepEqual, equal, ok } from 'node:assert/strict'
import type { CandidateQuery, LcmSession } from '../../store/lcm-session.ts'
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
      const session = await talk(harness.create(), 'a', 'one', 'my secret', 'three', 'four', 'five')
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
      ok(!JSON.stringify(await stateOf(session)).includes('secret'), 'the session after forgetting')
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
      for (const each of [session, other]) await compactTo(each, 1)
      const before = await stateOf(other)
      deepEqual(await forget(session, 0, 2), { messages: 3, summaries: [1] })
      deepEqual(await stateOf(other), before)
    },
  },
  {
    id: 'S94',
    title: 'refuses a writer that knows what was forgotten, and keeps the list of summaries',
    async run(harness) {
      const session = await talk(harness.create(), 'a', ...texts(4))
      await compactTo(session, 0)
      const { nextSeq, version } = await session.head()
      await forget(session, 1)
      const append = () => session.append({ nextSeq, version, messages: userMessages('late'), at: AT })
      const commit = () =>
        session.commit({ version, create: [], summaries: [], reason: 'compaction', at: AT })
      await refuses(append, 'STORE_CONFLICT', 'an append by who knows what was forgotten')
      await refuses(commit, 'STORE_CONFLICT', 'a commit by who knows what was forgotten')
      deepEqual(numbersOf(await session.frontier()), [1])
      deepEqual(numbersOf(await session.frontier(version)), [1], 'the list before')
      const before = await stateOf(session)
      await forget(session, 1)
      deepEqual(await stateOf(session), before, 'after what is forgotten was forgotten again')
    },
  },
  {
    id: 'S95',
    title: 'takes a message and a summary that were forgotten before they were imported',
    async run(harness) {
      const session = await talk(harness.create(), 'a', 'one')
      const [message] = userMessages('secret')
      if (message === undefined) throw new Error('there is a message')
      const empty = { json: '', text: '', shape: '', forgotten: tombstone }
      await session.append({ nextSeq: 1, messages: [{ ...message, ...empty }], at: AT })
      const node = { ...(await leaf(session, 1, 0, 1)), text: '', forgotten: tombstone }
      await commit(session, [node], [1])
      const [, stored] = await session.messages({ limit: 2 })
      deepEqual([stored?.json, stored?.hash, stored?.forgotten], ['', message.hash, tombstone])
      deepEqual(await session.summaries([1]), [node])
      equal((await session.candidates({ ...SECRET, where: [] })).length, 1, 'messages that a search reads')
      deepEqual(await session.compare([1], [userMessage('secret')]), [true])
    },
  },
]
