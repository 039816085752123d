import { deepEqual, equal } from 'node:assert/strict'
import { HOSTILE_TEXTS, whileRunning } from '@palimpsest/sqlite-kit/store-suite'
import type { DecisionBatch, DecisionSession } from '../store/decision-store.ts'
import {
  AT,
  asserted,
  assertions,
  job,
  message,
  messages,
  PROJECT,
  refuses,
  type StoreCase,
  sessionState,
  storeState,
  talk,
  texts,
  withdrawn,
} from './talk.ts'

/** A batch that changes everything there is. */
function wholeBatch(): Required<DecisionBatch> {
  return {
    known: { scope: PROJECT, seq: 0 },
    replaceFrom: 2,
    sources: messages(2, 'new 2', 'new 3'),
    events: [
      asserted('a', message(2, 'new 2')),
      asserted('a', message(2, 'new 2'), { scope: 'project:new' }),
    ],
    jobs: [job('a', 2, 4, 1)],
    finished: [job('a', 0, 2).id],
  }
}

/** Wrong values, by the field that they are in. */
function faults(): readonly (readonly [what: string, batch: unknown, at?: number])[] {
  const whole = wholeBatch()
  const [first, second] = whole.sources
  const [event] = whole.events
  const said = event?.type === 'asserted' ? event : undefined
  const withEvent = (change: object) => ({ ...whole, events: [...whole.events, { ...said, ...change }] })
  const withSource = (change: object) => ({ ...whole, sources: [first, { ...second, ...change }] })
  return [
    ['no batch', null],
    ['a place of no log', { ...whole, known: { scope: 'shop', seq: 0 } }],
    ['a time that is none', whole, Number.NaN],
    ['a gap between messages', { ...whole, sources: [...messages(2, 'x'), ...messages(4, 'y')] }],
    ['a message twice', { ...whole, sources: [...messages(2, 'x'), ...messages(2, 'y')] }],
    ['messages that are no list', { ...whole, sources: 'x' }],
    ['half a message', withSource({ message: 3.5 })],
    ['a text that is none', withSource({ text: null })],
    ['a hash that is none', withSource({ hash: 'abc' })],
    ['a replacement before the beginning', { ...whole, replaceFrom: -1 }],
    ['an event that is none', { ...whole, events: [...whole.events, null] }],
    ['an event without a source', withEvent({ source: undefined })],
    [
      'an event whose quote is longer than its place',
      withEvent({ source: { ...said?.source, quote: 'longer' } }),
    ],
    ['an event of an unknown type', withEvent({ type: 'decided' })],
    ['an event without a scope', withEvent({ scope: 'everywhere' })],
    ['an event with another id', withEvent({ id: '__proto__' })],
    ['an event without a statement', withEvent({ statement: undefined })],
    [
      'an event that is a megabyte long',
      withEvent({ statement: { ...said?.statement, l1: 'x'.repeat(2 ** 20) } }),
    ],
    ['a job without an end', { ...whole, jobs: [{ ...job('a', 2, 4), to: Number.POSITIVE_INFINITY }] }],
    ['a job about nothing', { ...whole, jobs: [job('a', 3, 3)] }],
    ['a finished job that is none', { ...whole, finished: [null] }],
  ]
}

/** Messages and jobs, and batches as a whole. */
export const batchCases: readonly StoreCase[] = [
  {
    id: 'D01',
    title: 'keeps the messages of a transcript in order, and gives out any range of them',
    async run(harness) {
      const session = await talk(harness.create(), 'a', ...texts(3))
      equal(await session.count(), 3)
      await session.commit({ sources: messages(3, 'text 3', 'text 4') }, AT + 1)
      const all = messages(0, ...texts(5))
      deepEqual(await session.sources(), all)
      deepEqual(await session.sources({ from: 1, to: 3 }), all.slice(1, 3))
      for (const range of [{ from: 5 }, { from: 3, to: 3 }, { from: 4, to: 2 }, { to: -1 }])
        deepEqual(await session.sources(range), [], `messages of ${JSON.stringify(range)}`)
      deepEqual(await session.sources({ from: -2, to: 99 }), all)
    },
  },
  {
    id: 'D02',
    title: 'gives every text back as it was, whatever characters are in it',
    async run(harness) {
      const session = await talk(harness.create(), 'a')
      const hostile = Object.values(HOSTILE_TEXTS)
      for (const [index, text] of hostile.entries())
        await session.commit({ sources: [message(index, text)] }, AT)
      deepEqual(await session.sources(), messages(0, ...hostile))
    },
  },
  {
    id: 'D05',
    title: 'takes a batch of thousands at once',
    async run(harness) {
      const session = await talk(harness.create(), 'a')
      const sources = messages(0, ...texts(3_000))
      const events = sources.map((said) => asserted('a', said))
      const jobs = sources.slice(0, 1_100).map((said) => job('a', said.message, said.message + 1))
      await session.commit({ sources, events, jobs }, AT)
      const given = await session.sources()
      // The number first: the difference of two long lists takes seconds to write.
      equal(given.length, 3_000)
      deepEqual(given, sources)
      await session.commit({ finished: jobs.slice(1).map(({ id }) => id) }, AT)
      deepEqual(await session.pendingJobs(), jobs.slice(0, 1))
      equal((await session.events({ scopes: [PROJECT] })).length, 3_000)
    },
  },
  {
    id: 'D10',
    title: 'replaces messages with their jobs, and keeps what was said before and every event',
    async run(harness) {
      const store = harness.create()
      const session = await talk(store, 'a', ...texts(6))
      const events = assertions('a', 0, ...texts(6))
      await session.commit({ events, jobs: [job('a', 0, 3), job('a', 3, 4), job('a', 4, 6)] }, AT)
      await session.commit({ finished: [job('a', 3, 4).id] }, AT)
      equal(await session.jobsEnd(), 6)
      await session.takeJob(job('a', 0, 3).id, { holder: 'me', at: AT, until: AT + 99 })
      const sources = messages(3, 'another text')
      const more = [withdrawn('a', 3, 0)]
      await session.commit({ replaceFrom: 3, sources, events: more }, AT + 1)
      deepEqual(await session.sources(), [...messages(0, ...texts(3)), ...sources])
      deepEqual(await session.pendingJobs(), [{ ...job('a', 0, 3), attempts: 1 }])
      equal(await session.jobsEnd(), 3)
      await session.commit({ jobs: [job('a', 3, 4)] }, AT + 1)
      // A job that was finished for messages that are gone is to be done again.
      deepEqual((await session.pendingJobs()).at(-1), job('a', 3, 4))
      const stored = (await session.events({ scopes: [PROJECT] })).map(({ event }) => event)
      deepEqual(stored, [...events, ...more])
      await session.commit({ replaceFrom: 0 }, AT)
      deepEqual([await session.count(), await session.pendingJobs(), await session.jobsEnd()], [0, [], 0])
    },
  },
  {
    id: 'D12',
    title: 'refuses what does not follow on what is stored, and writes nothing of it',
    async run(harness) {
      const store = harness.create()
      const session = await talk(store, 'a', ...texts(3))
      await session.commit({ jobs: [job('a', 1, 3)] }, AT)
      const before = await storeState(store)
      const batches: DecisionBatch[] = [
        ...[0, 2, 4].map((from) => ({ sources: messages(from, 'x'), events: assertions('a', from, 'x') })),
        { replaceFrom: 4 },
        { replaceFrom: 1, sources: messages(2, 'x') },
        { replaceFrom: 1, jobs: [job('a', 0, 2)] },
        { ...wholeBatch(), replaceFrom: 4 },
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
      for (const late of [{ sources: messages(3, 'late') }, { events: assertions('a', 2, 'said again') }])
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
    },
  },
  {
    id: 'D40',
    title: 'refuses a batch with a fault in any of its parts, names it, and writes nothing of the batch',
    async run(harness) {
      const store = harness.create()
      const session = await talk(store, 'a', ...texts(3))
      await session.commit({ jobs: [job('a', 0, 2), job('a', 2, 3)] }, AT)
      const before = await storeState(store)
      for (const [what, batch, at = AT + 9] of faults())
        await refuses(() => session.commit(batch as DecisionBatch, at), 'INVALID_OPTION', what)
      deepEqual(await storeState(store), before)
      await session.commit(wholeBatch(), AT + 9)
      const { sources, jobs } = wholeBatch()
      const all = [...messages(0, ...texts(2)), ...sources]
      deepEqual(await sessionState(session), { count: 4, jobsEnd: 4, sources: all, jobs })
    },
  },
  {
    id: 'D42',
    title: 'lets exactly one of many writers at the same time through, with all that it brings',
    async run(harness) {
      const session = await talk(harness.create(), 'a')
      const batches = texts(12, 'writer').map((text) => {
        const sources = messages(0, text)
        return { sources, events: sources.map((said) => asserted('a', said)) }
      })
      const racing = Promise.allSettled(batches.map((batch) => session.commit(batch, AT)))
      const outcomes = await whileRunning(racing, async () => {
        if ((await session.count()) === 0) return
        equal(
          (await session.events({ scopes: [PROJECT] })).length,
          1,
          'events of a batch whose message is there',
        )
      })
      const winners = batches.filter((_, index) => outcomes[index]?.status === 'fulfilled')
      equal(winners.length, 1, 'commits that went through')
      deepEqual(await session.sources(), winners[0]?.sources)
      const events = (await session.events({ scopes: [PROJECT] })).map(({ event }) => event)
      deepEqual(events, winners[0]?.events)
    },
  },
]

async function lastPlace(session: DecisionSession): Promise<number> {
  return (await session.events({ scopes: [PROJECT] })).at(-1)?.seq ?? 0
}
