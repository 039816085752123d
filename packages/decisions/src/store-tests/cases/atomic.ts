import { deepEqual, equal } from 'node:assert/strict'
import { whileRunning } from '@palimpsest/sqlite-kit/store-suite'
import type { DecisionBatch } from '../../store/decision-store.ts'
import { refuses, sessionState, storeState } from '../harness/refuses.ts'
import { AT, asserted, job, message, messages, PROJECT, talk, texts, touch } from '../harness/talk.ts'
import type { StoreCase } from '../store-case.ts'

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
    artifacts: [touch(3)],
    jobs: [job('a', 2, 4, 1)],
    finished: [job('a', 0, 2).id],
    summary: { messages: 4, prefixHash: 'x', text: 'new' },
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
    ['a place that is none', { ...whole, known: { scope: PROJECT, seq: -1 } }],
    ['a time that is none', whole, Number.NaN],
    ['a time before time', whole, -1],
    ['a gap between messages', { ...whole, sources: [...messages(2, 'x'), ...messages(4, 'y')] }],
    ['a message twice', { ...whole, sources: [...messages(2, 'x'), ...messages(2, 'y')] }],
    ['messages that are none', { ...whole, sources: [...messages(2, 'x'), null] }],
    ['messages that are no list', { ...whole, sources: 'x' }],
    ['an index that is no number', withSource({ message: '3' })],
    ['half a message', withSource({ message: 3.5 })],
    ['a text that is none', withSource({ text: null })],
    ['a turn that is none', withSource({ turn: Number.NaN })],
    ['a hash that is none', withSource({ hash: 'abc' })],
    ['a replacement before the beginning', { ...whole, replaceFrom: -1 }],
    ['a replacement from nowhere', { ...whole, replaceFrom: Number.NaN }],
    ['an event that is none', { ...whole, events: [...whole.events, null] }],
    ['an event without a source', withEvent({ source: undefined })],
    [
      'an event whose quote is longer than its place',
      withEvent({ source: { ...said?.source, quote: 'longer' } }),
    ],
    ['an event without a proof', withEvent({ source: { ...said?.source, hash: '' } })],
    ['an event of an unknown type', withEvent({ type: 'decided' })],
    ['an event without a scope', withEvent({ scope: 'everywhere' })],
    ['an event with another id', withEvent({ id: '__proto__' })],
    ['an event at no time', withEvent({ at: Number.POSITIVE_INFINITY })],
    ['an event of an unknown authority', withEvent({ authority: 'decreed' })],
    ['an event without a choice', withEvent({ choice: undefined })],
    ['an event that is a megabyte long', withEvent({ choice: { ...said?.choice, l1: 'x'.repeat(2 ** 20) } })],
    ['a file that is none', { ...whole, artifacts: [...whole.artifacts, { ...touch(2), path: 5 }] }],
    ['a file that was eaten', { ...whole, artifacts: [{ ...touch(2), operation: 'eaten' }] }],
    ['a job without an end', { ...whole, jobs: [{ ...job('a', 2, 4), to: Number.POSITIVE_INFINITY }] }],
    ['a job about nothing', { ...whole, jobs: [job('a', 3, 3)] }],
    ['a finished job that is none', { ...whole, finished: [null] }],
    ['a summary without a text', { ...whole, summary: { messages: 1, prefixHash: 'x' } }],
    ['a summary that is none', { ...whole, summary: 'x' }],
  ]
}

/** All of a batch, or nothing. */
export const atomicCases: readonly StoreCase[] = [
  {
    id: 'D40',
    title: 'refuses a batch with a fault in any of its parts, names it, and writes nothing of the batch',
    async run(harness) {
      const store = harness.create()
      const session = await talk(store, 'a', ...texts(3))
      await session.commit({ jobs: [job('a', 0, 2), job('a', 2, 3)], artifacts: [touch(2)] }, AT)
      const before = await storeState(store)
      for (const [what, batch, at = AT + 9] of faults()) {
        await refuses(() => session.commit(batch as DecisionBatch, at), 'INVALID_OPTION', what)
        deepEqual(await storeState(store), before, `the store after ${what}`)
      }
      await session.commit(wholeBatch(), AT + 9)
      const { sources, artifacts, jobs, summary, events } = wholeBatch()
      deepEqual(await sessionState(session), {
        count: 4,
        sources: [...messages(0, ...texts(2)), ...sources],
        ...{ artifacts, jobs, summary },
      })
      deepEqual(
        (await session.events({ scopes: [PROJECT, 'project:new'] })).map(({ event }) => event),
        events,
      )
    },
  },
  {
    id: 'D41',
    title: 'writes nothing of a batch that comes too late',
    async run(harness) {
      const store = harness.create()
      const session = await talk(store, 'a', ...texts(1))
      const before = await storeState(store)
      const { replaceFrom, ...late } = wholeBatch()
      await refuses(() => session.commit({ ...late, replaceFrom }, AT + 9), 'STORE_CONFLICT', 'a late batch')
      await refuses(() => session.commit(late, AT + 9), 'STORE_CONFLICT', 'a batch that leaves a gap')
      deepEqual(await storeState(store), before)
    },
  },
  {
    id: 'D42',
    title: 'lets exactly one of many writers at the same time through, with all that it brings',
    async run(harness) {
      const store = harness.create()
      const session = await talk(store, 'a')
      const batches = texts(12, 'writer').map((text) => {
        const sources = messages(0, text)
        return { sources, events: sources.map((said) => asserted('a', said)), artifacts: [touch(0, 0, text)] }
      })
      const racing = Promise.allSettled(batches.map((batch) => session.commit(batch, AT)))
      const outcomes = await whileRunning(racing, async () => {
        if ((await session.count()) === 0) return
        equal((await session.artifacts()).length, 1, 'files of a batch whose message is there')
        equal((await session.events({ scopes: [PROJECT] })).length, 1, 'events of it')
      })
      const winners = batches.filter((_, index) => outcomes[index]?.status === 'fulfilled')
      equal(winners.length, 1, 'commits that went through')
      deepEqual(await session.sources(), winners[0]?.sources)
      deepEqual(await session.artifacts(), winners[0]?.artifacts)
      const events = (await session.events({ scopes: [PROJECT] })).map(({ event }) => event)
      deepEqual(events, winners[0]?.events)
      const again = session.commit({ replaceFrom: 0, sources: messages(0, 'again') }, AT)
      await whileRunning(again, async () => equal(await session.count(), 1, 'messages while one is replaced'))
    },
  },
  {
    id: 'D43',
    title: 'shows every handle of a session the same',
    async run(harness) {
      const store = harness.create()
      const [left, right] = [await talk(store, 'a'), await store.session({ key: 'a' }, AT + 5)]
      for (const [index, text] of texts(20).entries())
        await (index % 2 === 0 ? left : right).commit({ sources: messages(index, text) }, AT)
      deepEqual(await sessionState(left), await sessionState(right))
      equal(await left.count(), 20)
    },
  },
]
