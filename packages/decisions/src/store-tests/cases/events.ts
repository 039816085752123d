import { deepEqual, equal, ok } from 'node:assert/strict'
import { HOSTILE_TEXTS } from '@palimpsest/sqlite-kit/store-suite'
import type { Scope } from '../../log/decision-event.ts'
import {
  AT,
  asserted,
  assertions,
  merged,
  message,
  PROJECT,
  talk,
  texts,
  withdrawn,
} from '../harness/talk.ts'
import type { StoreCase } from '../store-case.ts'

/** The log. */
export const eventCases: readonly StoreCase[] = [
  {
    id: 'D20',
    title: 'numbers events in the order in which they came, and gives out those behind a number',
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
      ok((stored[0]?.seq ?? 0) > 0, 'the first number is above 0')
      for (const [index, { seq }] of stored.entries()) {
        ok(seq > (stored[index - 1]?.seq ?? 0), 'numbers grow')
        deepEqual(await right.events({ scopes: [PROJECT], after: seq }), stored.slice(index + 1))
      }
      deepEqual(await store.events({ scopes: [PROJECT], after: 0 }), stored)
      deepEqual(await store.events({ scopes: [PROJECT], after: Number.MAX_SAFE_INTEGER }), [])
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
      const before = await store.events({ scopes: [PROJECT] })
      await left.commit({ events: [second, first] }, AT)
      await right.commit({ events: [{ ...first, at: AT + 50 }] }, AT)
      deepEqual(await store.events({ scopes: [PROJECT] }), before)
      await right.commit({ events: [first, third, second] }, AT)
      const stored = await store.events({ scopes: [PROJECT] })
      deepEqual(
        stored.map(({ event }) => event),
        [first, second, third],
      )
      deepEqual(await left.events({ scopes: [PROJECT] }), stored)
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
        ...(['project:\ud83d', 'project:a\0b', 'project:a\0c', 'project:__proto__'] as const),
        ...(['project:ä', 'project:a\u0308'] as const),
      ]
      deepEqual(await store.scopes(), [])
      const events = texts(30).map((text, index) => {
        const scope = scopes[index % scopes.length] ?? PROJECT
        return asserted('a', message(index, text), { scope })
      })
      for (const event of events) await session.commit({ events: [event] }, AT)
      deepEqual(new Set(await store.scopes()), new Set(scopes))
      const ask = async (...asked: readonly Scope[]) =>
        (await session.events({ scopes: asked })).map(({ event }) => event)
      for (const scope of scopes)
        deepEqual(
          await ask(scope),
          events.filter((event) => event.scope === scope),
        )
      const some = scopes.slice(2, 5)
      deepEqual(
        await ask(...some, ...some),
        events.filter(({ scope }) => some.includes(scope)),
      )
      deepEqual(await ask(...scopes, 'project:nobody'), events)
      const stored = await session.events({ scopes })
      for (const [index, { seq }] of stored.entries()) {
        ok(seq > (stored[index - 1]?.seq ?? 0), 'numbers grow from scope to scope')
        if (index % 7 === 0)
          deepEqual(
            await session.events({ scopes: some, after: seq }),
            stored.slice(index + 1).filter(({ event }) => some.includes(event.scope)),
          )
      }
      deepEqual(await ask(), [])
      deepEqual(await ask('project:nobody'), [])
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
      deepEqual(
        (await mine.events({ scopes: [PROJECT] })).map(({ event }) => event),
        [common, secret],
      )
      for (const read of [
        await yours.events({ scopes: [PROJECT] }),
        await store.events({ principal: 'you', scopes: [PROJECT] }),
      ])
        deepEqual(
          read.map(({ event }) => event),
          [common],
        )
      deepEqual(await store.events({ scopes: [PROJECT] }), [], 'events of the default principal')
      deepEqual(await store.scopes(), [])
      deepEqual(await store.scopes('you'), [PROJECT])
    },
  },
  {
    id: 'D24',
    title: 'gives every event back as it was, whatever its texts hold',
    async run(harness) {
      const session = await talk(harness.create(), 'a')
      const short = Object.entries(HOSTILE_TEXTS).filter(([, text]) => text.length < 1_000)
      const events = short.map(([name, text], index) =>
        asserted('a\0\ud800', message(index, text), {
          choice: {
            choice: text,
            l1: text,
            reason: text,
            area: text,
            entities: [text, name],
            slot: `x${text}`,
          },
        }),
      )
      const rest = [
        withdrawn('a', 3, 7),
        asserted('a', message(40), { choice: { l1: 'x'.repeat(60_000) } }),
        ...assertions('a', 50, '1e999 -0'),
        ...short.map(([, text], index) =>
          merged(asserted('a', message(0, 'text')), message(60 + index, text)),
        ),
      ]
      await session.commit({ events: [...events, ...rest] }, AT + 0.5)
      const stored = await session.events({ scopes: [PROJECT] })
      deepEqual(
        stored.map(({ event }) => event),
        [...events, ...rest],
      )
      equal(JSON.stringify(stored.map(({ event }) => event)), JSON.stringify([...events, ...rest]))
    },
  },
]
