import { deepEqual, equal } from 'node:assert/strict'
import type { DecisionSession } from '../../store/decision-store.ts'
import { refuses, storeState } from '../harness/refuses.ts'
import { AT, assertions, job, messages, PROJECT, talk, texts, touch, withdrawn } from '../harness/talk.ts'
import type { StoreCase } from '../store-case.ts'

/** Messages that the host took back. */
export const replaceCases: readonly StoreCase[] = [
  {
    id: 'D10',
    title: 'replaces messages with all that was read in them, and keeps what was said before and every event',
    async run(harness) {
      const store = harness.create()
      const session = await talk(store, 'a', ...texts(6))
      const events = assertions('a', 0, ...texts(6))
      const artifacts = [touch(1), touch(2), touch(3), touch(5)]
      const jobs = [job('a', 0, 3), job('a', 2, 4), job('a', 3, 4), job('a', 4, 6)]
      const summary = { messages: 5, prefixHash: 'x', text: 'y' }
      await session.commit({ events, artifacts, jobs, summary }, AT)
      await session.commit({ finished: [job('a', 3, 4).id] }, AT)
      await session.takeJob(job('a', 0, 3).id, { holder: 'me', at: AT, until: AT + 99 })
      const sources = messages(3, 'another text')
      const more = [withdrawn('a', 3, 0)]
      const again = {
        replaceFrom: 3,
        sources,
        events: more,
        artifacts: [touch(3, 1)],
        jobs: [job('a', 2, 4, 1), job('a', 3, 4)],
      }
      await session.commit(again, AT + 1)
      equal(await session.count(), 4)
      deepEqual(await session.sources(), messages(0, 'text 0', 'text 1', 'text 2', 'another text'))
      deepEqual(await session.artifacts(), [touch(1), touch(2), touch(3, 1)])
      const taken = { ...job('a', 0, 3), attempts: 1 }
      // Jobs that were finished for messages that are gone are to be done again.
      deepEqual(await session.pendingJobs(), [taken, job('a', 2, 4, 1), job('a', 3, 4)])
      const other = { holder: 'other', at: AT, until: AT + 99 }
      equal(await session.takeJob(job('a', 0, 3).id, other), false, 'a job that another one has')
      deepEqual(await session.summary(), summary)
      deepEqual(
        (await session.events({ scopes: [PROJECT] })).map(({ event }) => event),
        [...events, ...more],
      )
      equal((await store.list())[0]?.events, events.length + more.length)
    },
  },
  {
    id: 'D11',
    title: 'takes messages away when nothing comes in their place, to the last one if need be',
    async run(harness) {
      const session = await talk(harness.create(), 'a', ...texts(4))
      await session.commit({ replaceFrom: 4 }, AT)
      equal(await session.count(), 4)
      await session.commit({ replaceFrom: 2 }, AT)
      deepEqual(await session.sources(), messages(0, ...texts(2)))
      await session.commit({ replaceFrom: 0 }, AT)
      equal(await session.count(), 0)
      await session.commit({ sources: messages(0, 'new') }, AT)
      deepEqual(await session.sources(), messages(0, 'new'))
    },
  },
  {
    id: 'D12',
    title: 'refuses to replace what is not there, or to put messages elsewhere, and writes nothing',
    async run(harness) {
      const store = harness.create()
      const session = await talk(store, 'a', ...texts(3))
      await session.commit({ artifacts: [touch(2)], jobs: [job('a', 1, 3)] }, AT)
      const before = await storeState(store)
      const batches = [
        { replaceFrom: 4 },
        { replaceFrom: 4, sources: messages(4, 'x') },
        { replaceFrom: 1, sources: messages(2, 'x') },
        { replaceFrom: 1, sources: messages(3, 'x') },
        { replaceFrom: 1, jobs: [job('a', 0, 2)] },
        { replaceFrom: 1, artifacts: [touch(1)] },
        { replaceFrom: 1, summary: { messages: 2, prefixHash: 'x', text: 'y' } },
      ]
      for (const batch of batches)
        await refuses(() => session.commit(batch, AT + 5), 'STORE_CONFLICT', JSON.stringify(batch))
      deepEqual(await storeState(store), before)
    },
  },
  {
    id: 'D13',
    title: 'refuses a batch of a worker that does not know that messages of the session were taken back',
    async run(harness) {
      const store = harness.create()
      const session = await talk(store, 'a', ...texts(3))
      await session.commit({ events: assertions('a', 0, ...texts(3)) }, AT)
      const known = { scope: PROJECT, seq: await lastPlace(session) }
      const taken = { replaceFrom: 2, sources: messages(2, 'another text'), events: [withdrawn('a', 2, 0)] }
      await session.commit({ ...taken, known }, AT)
      await (await talk(store, 'b')).commit({ events: [withdrawn('b', 0, 0)] }, AT)
      const before = await storeState(store)
      for (const late of [
        { sources: messages(3, 'late') },
        { events: assertions('a', 2, 'text 2, said again') },
        { summary: null },
      ])
        await refuses(
          () => session.commit({ ...late, known }, AT + 5),
          'STORE_CONFLICT',
          JSON.stringify(late),
        )
      deepEqual(await storeState(store), before)
      // Withdrawals of other sessions and events of other scopes do not matter.
      const [place] = (await session.events({ scopes: [PROJECT], after: known.seq })).map(({ seq }) => seq)
      await session.commit({ sources: messages(3, 'in time'), known: { ...known, seq: place ?? 0 } }, AT + 6)
      await session.commit({ sources: messages(4, 'x'), known: { scope: 'project:other', seq: 0 } }, AT + 7)
      equal(await session.count(), 5)
      const news = { ...known, seq: await lastPlace(session) }
      const [event] = assertions('a', 4, 'said at the same time')
      if (event === undefined) throw new Error('there is an event')
      const takeBack = { replaceFrom: 4, events: [withdrawn('a', 4, 1)], known: news }
      const outcomes = await Promise.allSettled([
        session.commit(takeBack, AT + 8),
        session.commit({ events: [event], known: news }, AT + 8),
      ])
      equal(outcomes[0]?.status, 'fulfilled', 'of two at the same time, the one that takes messages back')
      const types = (await session.events({ scopes: [PROJECT], after: news.seq })).map(
        (row) => row.event.type,
      )
      const isLate = outcomes[1]?.status === 'rejected'
      deepEqual(types, isLate ? ['withdrawn'] : ['asserted', 'withdrawn'], 'the events of both')
    },
  },
]

async function lastPlace(session: DecisionSession): Promise<number> {
  return (await session.events({ scopes: [PROJECT] })).at(-1)?.seq ?? 0
}
