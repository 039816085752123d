import { deepEqual, equal, ok } from 'node:assert/strict'
import { HOSTILE_TEXTS } from '@palimpsest/sqlite-kit/store-suite'
import type { Scope } from '../log/decision-event.ts'
import {
  AT,
  asserted,
  assertions,
  job,
  message,
  PROJECT,
  type StoreCase,
  talk,
  texts,
  withdrawn,
} from './talk.ts'

/** The log, and the work for a model. */
export const logCases: readonly StoreCase[] = [
  {
    id: 'D20',
    title: 'numbers events in the order in which they came, and gives out those after a number',
    async run(harness) {
      const store = harness.create()
      const [left, right] = [await talk(store, 'a'), await talk(store, 'b')]
      const events = [...assertions('a', 0, ...texts(3)), ...assertions('b', 0, ...texts(3))]
      for (const [index, event] of events.entries())
        await (index % 2 === 0 ? left : right).commit({ events: [event] }, AT - 10 * index)
      const stored = await left.events({ scopes: [PROJECT] })
      deepEqual(
        stored.map(({ event }) => event),
        events,
      )
      for (const [index, { seq }] of stored.entries()) {
        ok(seq > (stored[index - 1]?.seq ?? 0), 'numbers grow from above 0')
        deepEqual(await right.events({ scopes: [PROJECT], after: seq }), stored.slice(index + 1))
      }
      deepEqual(await store.events({ scopes: [PROJECT], after: 0 }), stored)
    },
  },
  {
    id: 'D21',
    title: 'passes over an event that it has, in the same batch, in a later one and from another session',
    async run(harness) {
      const store = harness.create()
      const [left, right] = [await talk(store, 'a'), await talk(store, 'b')]
      const [first, second, third] = assertions('a', 0, ...texts(3))
      if (first === undefined || second === undefined || third === undefined) throw new Error('three events')
      await left.commit({ events: [first, first, second] }, AT)
      await right.commit({ events: [{ ...first, at: AT + 50 }] }, AT)
      await right.commit({ events: [first, third, second] }, AT)
      const stored = await store.events({ scopes: [PROJECT] })
      deepEqual(
        stored.map(({ event }) => event),
        [first, second, third],
      )
      const counts = new Map((await store.list()).map(({ key, events }) => [key, events]))
      deepEqual([counts.get('a'), counts.get('b')], [2, 1], 'events that a session brought')
    },
  },
  {
    id: 'D22',
    title:
      'gives out the events of the scopes that are asked for and no others, each once, in the order of the log',
    async run(harness) {
      const store = harness.create()
      const session = await talk(store, 'a')
      const scopes: readonly Scope[] = [
        ...(['session:a', 'project:a', 'project:A', 'project:a ', 'project:%', 'project:"a"'] as const),
        ...(['project:\ud83d', 'project:a\0b', 'project:a\0c', 'project:ä', 'project:a\u0308'] as const),
      ]
      deepEqual(await store.scopes(), [])
      const events = texts(30).map((text, index) =>
        asserted('a', message(index, text), { scope: scopes[index % scopes.length] ?? PROJECT }),
      )
      for (const event of events) await session.commit({ events: [event] }, AT)
      deepEqual(await store.scopes(), scopes)
      const ask = async (...asked: readonly Scope[]) =>
        (await session.events({ scopes: asked })).map(({ event }) => event)
      const some = scopes.slice(2, 5)
      for (const asked of [
        ...scopes.map((scope) => [scope]),
        [...some, ...some],
        [],
        ['project:nobody'] as const,
      ])
        deepEqual(
          await ask(...asked),
          events.filter(({ scope }) => asked.includes(scope as never)),
        )
    },
  },
  {
    id: 'D23',
    title: 'keeps principals apart that call their sessions, projects and events the same',
    async run(harness) {
      const store = harness.create()
      const mine = await store.session({ principal: 'me', key: 'notes' }, AT)
      const yours = await store.session({ principal: 'you', key: 'notes' }, AT)
      const [common, secret] = assertions('notes', 0, 'common', 'secret')
      if (common === undefined || secret === undefined) throw new Error('two events')
      await mine.commit({ events: [common, secret] }, AT)
      await yours.commit({ events: [common] }, AT)
      for (const read of [
        await yours.events({ scopes: [PROJECT] }),
        await store.events({ principal: 'you', scopes: [PROJECT] }),
      ])
        deepEqual(
          read.map(({ event }) => event),
          [common],
        )
      deepEqual(await store.events({ scopes: [PROJECT] }), [], 'events of the default principal')
      deepEqual([await store.scopes(), await store.scopes('you')], [[], [PROJECT]])
    },
  },
  {
    id: 'D24',
    title: 'gives every event back as it was, whatever its texts hold',
    async run(harness) {
      const session = await talk(harness.create(), 'a')
      const short = Object.values(HOSTILE_TEXTS).filter((text) => text.length < 1_000)
      const events = [
        ...short.map((text, index) =>
          asserted('a\0\ud800', message(index, text), {
            statement: { value: text, l0: text, l1: text, reason: text, subject: `x${text}` },
          }),
        ),
        withdrawn('a', 3, 7),
        asserted('a', message(40), { statement: { l1: 'x'.repeat(60_000) } }),
      ]
      await session.commit({ events }, AT + 0.5)
      const stored = (await session.events({ scopes: [PROJECT] })).map(({ event }) => event)
      deepEqual(stored, events)
    },
  },
  {
    id: 'D30',
    title: 'keeps a job pending until it is finished; the same job twice is one, and never comes back',
    async run(harness) {
      const session = await talk(harness.create(), 'a', ...texts(8))
      const [second, first] = [job('a', 0, 4), { ...job('a', 4, 8), version: 3, attempts: 2 }]
      equal(await session.jobsEnd(), 0)
      await session.commit({ jobs: [first, second, first] }, AT)
      await session.commit({ jobs: [{ ...second, attempts: 9 }] }, AT)
      deepEqual(await session.pendingJobs(), [first, second])
      await session.commit({ jobs: [second], finished: [second.id, 'nobody'] }, AT)
      await session.commit({ jobs: [second] }, AT)
      deepEqual(await session.pendingJobs(), [first])
      await session.commit({ finished: [first.id] }, AT)
      deepEqual([await session.pendingJobs(), await session.jobsEnd()], [[], 8])
    },
  },
  {
    id: 'D31',
    title:
      'gives a job to one holder at a time, until the time is over or it is given back, and counts the attempts',
    async run(harness) {
      const session = await talk(harness.create(), 'a', ...texts(2))
      const { id } = job('a', 0, 2)
      await session.commit({ jobs: [job('a', 0, 2)] }, AT)
      const take = (holder: string, at: number, until: number) =>
        session.takeJob(id, { holder: `${holder}\0\ud83d`, at: AT + at, until: AT + until })
      const attempts = async () => (await session.pendingJobs())[0]?.attempts
      equal(await take('left', 0, 10), true, 'a job that is free')
      equal(await take('right', 5, 99), false, 'a job that another one has')
      equal(await attempts(), 1, 'attempts after one that was refused')
      equal(await take('left', 5, 20), true, 'a job of its own')
      equal(await take('right', 20, 30), true, 'a job whose time is over')
      equal(await attempts(), 3)
      await session.releaseJob(id, 'left\0\ud83d')
      equal(await take('left', 25, 99), false, 'a job that another holder gave back')
      await session.releaseJob(id, 'right\0\ud83d')
      equal(await attempts(), 2)
      equal(await take('left', 25, 99), true, 'a job that its holder gave back')
      await session.commit({ finished: [id] }, AT)
      equal(await take('right', 200, 300), false, 'a job that is finished')
      equal(await session.takeJob('nobody', { holder: 'left', at: AT, until: AT + 9 }), false, 'no job')
    },
  },
  {
    id: 'D32',
    title: 'gives a job to exactly one of many who want it at the same time',
    async run(harness) {
      const session = await talk(harness.create(), 'a', ...texts(2))
      const { id } = job('a', 0, 2)
      await session.commit({ jobs: [job('a', 0, 2)] }, AT)
      const takers = texts(20, 'holder').map((holder) =>
        session.takeJob(id, { holder, at: AT, until: AT + 9 }),
      )
      equal((await Promise.all(takers)).filter(Boolean).length, 1)
    },
  },
]
