import { deepEqual, equal } from 'node:assert/strict'
import { hostileRefs } from '@palimpsest/sqlite-kit/store-suite'
import { refuses, storeState } from '../harness/refuses.ts'
import { AT, assertions, job, messages, PROJECT, talk, texts } from '../harness/talk.ts'
import type { StoreCase } from '../store-case.ts'

/** Sessions and who has them. */
export const sessionCases: readonly StoreCase[] = [
  {
    id: 'D50',
    title: 'makes a session when it is opened, once, and none when it is looked for',
    async run(harness) {
      const store = harness.create()
      equal(await store.find({ key: 'a' }), null)
      deepEqual(await store.list(), [])
      const made = await store.session({ key: 'a' }, AT)
      deepEqual([made.principal, made.key], ['local', 'a'])
      await Promise.all(texts(5).map(() => store.session({ key: 'a' }, AT + 50)))
      const handles = await Promise.all(texts(5).map(() => store.session({ principal: 'you', key: 'b' }, AT)))
      for (const [index, handle] of handles.entries())
        await handle.commit({ sources: messages(index, 'by one of five who made it') }, AT)
      equal((await store.find({ principal: 'local', key: 'a' }))?.key, 'a')
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
      for (const key of texts(30)) await store.session({ key }, AT)
      equal((await store.list()).length, refs.length + 30)
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
      const expected = [
        info('first', { messages: 3, events: 0, pendingJobs: 1, lastAt: AT + 9.5 }),
        info('last', { messages: 0, events: 2, pendingJobs: 0, lastAt: AT + 5 }),
      ]
      deepEqual(await store.list({ principal: 'local' }), expected)
      deepEqual(
        (await store.list()).map(({ key }) => key),
        ['first', 'last', 'theirs'],
      )
      deepEqual(await store.list({ principal: 'nobody' }), [])
    },
  },
  {
    id: 'D53',
    title: 'refuses names and times that are none, and makes no session',
    async run(harness) {
      const store = harness.create()
      const refs: unknown[] = [
        { key: '' },
        { key: 5 },
        {},
        null,
        { key: 'a', principal: '' },
        { key: 'x'.repeat(2_000) },
      ]
      for (const ref of refs)
        await refuses(
          () => store.session(ref as never, AT),
          'INVALID_OPTION',
          JSON.stringify(ref).slice(0, 40),
        )
      for (const at of [Number.NaN, -1, Number.POSITIVE_INFINITY, '5', undefined])
        await refuses(() => store.session({ key: 'a' }, at as never), 'INVALID_OPTION', `the time ${at}`)
      deepEqual(await store.list(), [])
      const session = await talk(store, 'a', ...texts(1))
      await session.commit({ jobs: [job('a', 0, 1)] }, AT)
      const before = await storeState(store)
      for (const input of [{ holder: '' }, { at: Number.NaN }, { until: undefined }]) {
        const take = { holder: 'me', at: AT, until: AT + 1, ...input }
        await refuses(
          () => session.takeJob(job('a', 0, 1).id, take as never),
          'INVALID_OPTION',
          `a job for ${JSON.stringify(input)}`,
        )
      }
      deepEqual(await storeState(store), before)
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
        artifacts: () => session.artifacts(),
        summary: () => session.summary(),
        pendingJobs: () => session.pendingJobs(),
        takeJob: () => session.takeJob('j', { holder: 'me', at: AT, until: AT }),
        releaseJob: () => session.releaseJob('j', 'me'),
        'events of a session': () => session.events({ scopes: [PROJECT] }),
        commit: () => session.commit({}, AT),
      }
      for (const [what, call] of Object.entries(calls)) await refuses(call, 'STORE_CLOSED', what)
    },
  },
]
