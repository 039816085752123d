import { deepEqual, equal } from 'node:assert/strict'
import { refuses, sessionState, storeState } from '../harness/refuses.ts'
import { AT, assertions, job, messages, PROJECT, talk, texts, touch } from '../harness/talk.ts'
import type { StoreCase } from '../store-case.ts'

/** Stores that keep what they have. */
export const reopenCases: readonly StoreCase[] = [
  {
    id: 'D60',
    title: 'has everything when it is opened again',
    requires: 'reopen',
    async run(harness) {
      const store = harness.create()
      const session = await talk(store, 'a\0\ud83d', ...texts(4, 'text\0\ud83d'))
      await session.commit({ events: assertions('a', 0, 'x\0', 'y\ud83d'), artifacts: [touch(1)] }, AT)
      const work = { jobs: [job('a', 0, 4)], summary: { messages: 2, prefixHash: 'x', text: 'y' } }
      await session.commit(work, AT + 1)
      await session.takeJob(job('a', 0, 4).id, { holder: 'me', at: AT, until: AT + 50 })
      await (await store.session({ principal: 'you', key: 'b' }, AT)).commit({ replaceFrom: 0 }, AT)
      const before = await storeState(store)
      await store.close()
      const again = harness.reopen(store)
      deepEqual(await storeState(again), before)
      const other = { holder: 'other', at: AT + 40, until: AT + 60 }
      const found = await again.find({ key: 'a\0\ud83d' })
      equal(await found?.takeJob(job('a', 0, 4).id, other), false, 'a job that another holder has')
    },
  },
  {
    id: 'D61',
    title: 'lets two that are open at once see what the other writes, and the slower one read again',
    requires: 'reopen',
    async run(harness) {
      const left = harness.create()
      const leftSession = await talk(left, 'a')
      const right = harness.reopen(left)
      const rightSession = await right.session({ key: 'a' }, AT)
      for (const [index, text] of texts(20).entries()) {
        const batch = { sources: messages(index, text), events: assertions('a', index, text) }
        await (index % 2 === 0 ? leftSession : rightSession).commit(batch, AT + index)
      }
      deepEqual(await storeState(left), await storeState(right))
      deepEqual(await leftSession.sources(), messages(0, ...texts(20)))
      const late = { sources: messages(19, 'late') }
      await refuses(
        () => rightSession.commit(late, AT),
        'STORE_CONFLICT',
        'a message that the other has written',
      )
      const after = (await leftSession.events({ scopes: [PROJECT] })).at(9)?.seq ?? 0
      equal((await rightSession.events({ scopes: [PROJECT], after })).length, 10)
    },
  },
  {
    id: 'D62',
    title: 'loses nothing of two that append events at the same time, and has each once',
    requires: 'reopen',
    async run(harness) {
      const left = harness.create()
      const leftSession = await talk(left, 'left')
      const right = harness.reopen(left)
      const rightSession = await talk(right, 'right')
      const common = assertions('both', 0, ...texts(30))
      await Promise.all(
        [leftSession, rightSession].flatMap((session) => [
          ...assertions(session.key, 0, ...texts(30)).map((event) => session.commit({ events: [event] }, AT)),
          ...common.map((event) => session.commit({ events: [event] }, AT)),
        ]),
      )
      const stored = await left.events({ scopes: [PROJECT] })
      equal(stored.length, 90)
      equal(new Set(stored.map(({ event }) => event.id)).size, 90)
      deepEqual(await right.events({ scopes: [PROJECT] }), stored)
      deepEqual(await sessionState(leftSession), await sessionState(rightSession))
      equal(
        (await left.list()).reduce((sum, { events }) => sum + events, 0),
        90,
        'events that sessions brought',
      )
    },
  },
]
