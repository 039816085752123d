import { deepEqual, equal } from 'node:assert/strict'
import { hostileRefs } from '@palimpsest/sqlite-kit/store-suite'
import {
  AT,
  assertions,
  job,
  messages,
  PROJECT,
  refuses,
  type StoreCase,
  sessionState,
  storeState,
  talk,
  texts,
} from './talk.ts'

/** Sessions and who has them, and stores that keep what they have. */
export const sessionCases: readonly StoreCase[] = [
  {
    id: 'D50',
    title:
      'makes a session when it is opened, once, and none when it is looked for; all handles see the same',
    async run(harness) {
      const store = harness.create()
      deepEqual([await store.find({ key: 'a' }), await store.list()], [null, []])
      const made = await store.session({ key: 'a' }, AT)
      deepEqual([made.principal, made.key], ['local', 'a'])
      const handles = await Promise.all(texts(5).map(() => store.session({ principal: 'you', key: 'b' }, AT)))
      for (const [index, handle] of handles.entries())
        await handle.commit({ sources: messages(index, 'by one of five who made it') }, AT)
      const empty = { principal: 'local', key: 'a', messages: 0, events: 0, pendingJobs: 0 }
      deepEqual(await store.list({ principal: 'local' }), [{ ...empty, createdAt: AT, lastAt: AT }])
      equal((await store.list()).length, 2)
    },
  },
  {
    id: 'D51',
    title: 'takes any text for the name of a session or a principal, and no two for one',
    async run(harness) {
      const store = harness.create()
      const refs = hostileRefs()
      for (const ref of refs)
        await (await store.session(ref, AT)).commit({ sources: messages(0, JSON.stringify(ref)) }, AT)
      equal((await store.list()).length, refs.length)
      for (const ref of refs) {
        const session = await store.find(ref)
        deepEqual([session?.principal, session?.key], [ref.principal, ref.key])
        deepEqual(await session?.sources(), messages(0, JSON.stringify(ref)))
      }
    },
  },
  {
    id: 'D52',
    title: 'lists sessions of everybody or of one principal, the one written to last first',
    async run(harness) {
      const store = harness.create()
      const first = await talk(store, 'first', ...texts(3))
      await store.session({ principal: 'you', key: 'theirs' }, AT + 1)
      const last = await talk(store, 'last')
      await last.commit({ events: assertions('last', 0, 'x', 'y') }, AT + 5)
      await first.commit({ jobs: [job('first', 0, 2), job('first', 2, 3)] }, AT + 9.5)
      await first.commit({ finished: [job('first', 0, 2).id] }, AT + 8)
      const info = (key: string, rest: object) => ({ principal: 'local', key, createdAt: AT, ...rest })
      deepEqual(await store.list({ principal: 'local' }), [
        info('first', { messages: 3, events: 0, pendingJobs: 1, lastAt: AT + 9.5 }),
        info('last', { messages: 0, events: 2, pendingJobs: 0, lastAt: AT + 5 }),
      ])
      deepEqual(
        (await store.list()).map(({ key }) => key),
        ['first', 'last', 'theirs'],
      )
    },
  },
  {
    id: 'D53',
    title: 'refuses names and times that are none, and makes no session',
    async run(harness) {
      const store = harness.create()
      for (const ref of [
        { key: '' },
        { key: 5 },
        {},
        null,
        { key: 'a', principal: '' },
        { key: 'x'.repeat(2_000) },
      ])
        await refuses(
          () => store.session(ref as never, AT),
          'INVALID_OPTION',
          JSON.stringify(ref).slice(0, 40),
        )
      for (const at of [Number.NaN, -1, Number.POSITIVE_INFINITY, '5', undefined])
        await refuses(() => store.session({ key: 'a' }, at as never), 'INVALID_OPTION', `the time ${at}`)
      deepEqual(await store.list(), [])
      const session = await talk(store, 'a', ...texts(1))
      for (const input of [{ holder: '' }, { at: Number.NaN }, { until: undefined }]) {
        const take = { holder: 'me', at: AT, until: AT + 1, ...input }
        await refuses(() => session.takeJob('j', take as never), 'INVALID_OPTION', JSON.stringify(input))
      }
    },
  },
  {
    id: 'D54',
    title: 'says that it was closed, whatever it is asked for',
    async run(harness) {
      const store = harness.create()
      const session = await talk(store, 'a', ...texts(1))
      await store.close()
      await store.close()
      const calls = {
        session: () => store.session({ key: 'a' }, AT),
        find: () => store.find({ key: 'a' }),
        list: () => store.list(),
        events: () => store.events({ scopes: [PROJECT] }),
        scopes: () => store.scopes(),
        count: () => session.count(),
        sources: () => session.sources(),
        pendingJobs: () => session.pendingJobs(),
        jobsEnd: () => session.jobsEnd(),
        takeJob: () => session.takeJob('j', { holder: 'me', at: AT, until: AT }),
        releaseJob: () => session.releaseJob('j', 'me'),
        'events of a session': () => session.events({ scopes: [PROJECT] }),
        commit: () => session.commit({}, AT),
      }
      for (const [what, call] of Object.entries(calls)) await refuses(call, 'STORE_CLOSED', what)
    },
  },
  {
    id: 'D60',
    title: 'has everything when it is opened again',
    requires: 'reopen',
    async run(harness) {
      const store = harness.create()
      const session = await talk(store, 'a\0\ud83d', ...texts(4, 'text\0\ud83d'))
      await session.commit({ events: assertions('a', 0, 'x\0', 'y\ud83d'), jobs: [job('a', 0, 4)] }, AT)
      await session.takeJob(job('a', 0, 4).id, { holder: 'me', at: AT, until: AT + 50 })
      const before = await storeState(store)
      await store.close()
      const again = harness.reopen(store)
      deepEqual(await storeState(again), before)
      const found = await again.find({ key: 'a\0\ud83d' })
      const other = { holder: 'other', at: AT + 40, until: AT + 60 }
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
      const late = { sources: messages(19, 'late') }
      await refuses(
        () => rightSession.commit(late, AT),
        'STORE_CONFLICT',
        'a message that the other has written',
      )
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
      deepEqual(await sessionState(leftSession), await sessionState(rightSession))
    },
  },
]
