import { deepEqual, equal } from 'node:assert/strict'
import { HOSTILE_TEXTS } from '@palimpsest/sqlite-kit/store-suite'
import { refuses, sessionState, storeState } from '../harness/refuses.ts'
import { AT, asserted, job, message, messages, talk, texts, touch } from '../harness/talk.ts'
import type { StoreCase } from '../store-case.ts'

/** The texts that decisions quote. */
export const sourceCases: readonly StoreCase[] = [
  {
    id: 'D01',
    title: 'keeps the messages of a transcript in order, and gives out any range of them',
    async run(harness) {
      const session = await talk(harness.create(), 'a', ...texts(3))
      equal(await session.count(), 3)
      await session.commit({ sources: messages(3, 'text 3', 'text 4') }, AT + 1)
      equal(await session.count(), 5)
      const all = messages(0, ...texts(5))
      deepEqual(await session.sources(), all)
      deepEqual(await session.sources({ from: 1, to: 3 }), all.slice(1, 3))
      deepEqual(await session.sources({ from: 4 }), all.slice(4))
      deepEqual(await session.sources({ to: 2 }), all.slice(0, 2))
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
      const hostile = Object.entries(HOSTILE_TEXTS)
      for (const [index, [name, text]] of hostile.entries()) {
        await session.commit({ sources: [message(index, text)] }, AT)
        const [stored] = await session.sources({ from: index })
        deepEqual(stored, message(index, text), name)
      }
      deepEqual(await session.sources(), messages(0, ...hostile.map(([, text]) => text)))
    },
  },
  {
    id: 'D03',
    title: 'refuses messages that do not follow on what is stored, and writes nothing of their batch',
    async run(harness) {
      const store = harness.create()
      const session = await talk(store, 'a', ...texts(2))
      const before = await storeState(store)
      for (const from of [0, 1, 3]) {
        const sources = messages(from, 'late')
        const events = [asserted('a', message(from, 'late'))]
        const batch = { sources, events, summary: { messages: 1, prefixHash: 'x', text: 'y' } }
        await refuses(() => session.commit(batch, AT + 9), 'STORE_CONFLICT', `message ${from} when 2 is next`)
      }
      deepEqual(await storeState(store), before)
    },
  },
  {
    id: 'D04',
    title: 'keeps what it was given, whatever its callers do to their objects afterwards',
    async run(harness) {
      const store = harness.create()
      const session = await talk(store, 'a')
      const sources = messages(0, 'kept')
      const event = asserted('a', message(0, 'kept'))
      await session.commit({ sources, events: [event] }, AT)
      const state = async () => structuredClone([await storeState(store), await sessionState(session)])
      const before = await state()
      Object.assign(sources[0] ?? {}, { text: 'changed' })
      Object.assign(event.choice, { choice: 'changed' })
      for (const read of [...(await session.sources()), ...(await session.events({ scopes: [event.scope] }))])
        try {
          Object.assign(read, { text: 'changed', seq: 99 })
        } catch {
          // A frozen object cannot be changed either.
        }
      deepEqual(await state(), before)
    },
  },
  {
    id: 'D05',
    title: 'takes a batch of thousands at once',
    async run(harness) {
      const session = await talk(harness.create(), 'a')
      const sources = messages(0, ...texts(3_000))
      const events = sources.map((said) => asserted('a', said))
      const artifacts = sources.slice(0, 1_100).map((said) => touch(said.message))
      const jobs = artifacts.map((said) => job('a', said.message, said.message + 1))
      await session.commit({ sources, events, artifacts, jobs }, AT)
      equal(await session.count(), 3_000)
      const given = await session.sources()
      // The number first: the difference of two long lists takes seconds to write.
      equal(given.length, 3_000)
      deepEqual(given, sources)
      deepEqual(await session.artifacts(), artifacts)
      deepEqual(await session.pendingJobs(), jobs)
      await session.commit({ finished: jobs.slice(1).map(({ id }) => id) }, AT)
      deepEqual(await session.pendingJobs(), jobs.slice(0, 1))
      const stored = await session.events({ scopes: ['project:shop'] })
      deepEqual(
        stored.map(({ event }) => event.id),
        events.map(({ id }) => id),
      )
    },
  },
]
