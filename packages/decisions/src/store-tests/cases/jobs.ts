import { deepEqual, equal } from 'node:assert/strict'
import { AT, job, talk, texts, touch } from '../harness/talk.ts'
import type { StoreCase } from '../store-case.ts'

/** Work for a model, and the other things that a session keeps. */
export const jobCases: readonly StoreCase[] = [
  {
    id: 'D30',
    title: 'keeps a job pending until it is finished; the same job twice is one, and never comes back',
    async run(harness) {
      const session = await talk(harness.create(), 'a', ...texts(8))
      const second = job('a', 0, 4)
      const third = { ...job('a', 2, 6), id: second.id.toUpperCase() }
      const first = { ...job('a', 4, 8), version: 3, attempts: 2 }
      await session.commit({ jobs: [first, second, first] }, AT)
      await session.commit({ jobs: [third, { ...second, attempts: 9 }] }, AT)
      deepEqual(await session.pendingJobs(), [first, second, third])
      await session.takeJob(first.id, { holder: 'me', at: AT, until: AT + 9 })
      deepEqual(await session.pendingJobs(), [{ ...first, attempts: 3 }, second, third])
      await session.releaseJob(first.id, 'me')
      await session.commit({ finished: [second.id, 'nobody'] }, AT)
      deepEqual(await session.pendingJobs(), [first, third])
      await session.commit({ jobs: [second], finished: [second.id] }, AT)
      deepEqual(await session.pendingJobs(), [first, third])
      await session.commit({ jobs: [second], finished: [first.id, third.id] }, AT)
      deepEqual(await session.pendingJobs(), [])
      const made = job('a', 0, 8)
      await session.commit({ jobs: [made], finished: [made.id] }, AT)
      deepEqual(await session.pendingJobs(), [], 'a job that is made and finished at once')
    },
  },
  {
    id: 'D31',
    title: 'gives a job to one holder at a time, until the time is over, and counts the attempts',
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
      equal(await take('right', 15, 99), false, 'a job that another one has for longer')
      equal(await take('right', 20, 30), true, 'a job whose time is over')
      equal(await take('left', 25, 99), false, 'a job that was lost')
      equal(await attempts(), 3)
      await session.commit({ finished: [id] }, AT)
      equal(await take('right', 26, 99), false, 'a job that is finished')
      equal(await session.takeJob('nobody', { holder: 'left', at: AT, until: AT + 9 }), false, 'no job')
    },
  },
  {
    id: 'D36',
    title: 'takes a job back from its holder as if it had not been taken, and from no other',
    async run(harness) {
      const session = await talk(harness.create(), 'a', ...texts(2))
      const { id } = job('a', 0, 2)
      await session.commit({ jobs: [job('a', 0, 2)] }, AT)
      const take = (holder: string) => session.takeJob(id, { holder, at: AT, until: AT + 99 })
      equal(await take('left'), true)
      await session.releaseJob(id, 'right')
      equal(await take('right'), false, 'a job that another holder gave back')
      await session.releaseJob(id, 'left')
      deepEqual(await session.pendingJobs(), [job('a', 0, 2)])
      equal(await take('right'), true, 'a job that its holder gave back')
      await session.commit({ finished: [id] }, AT)
      await session.releaseJob(id, 'right')
      deepEqual(await session.pendingJobs(), [], 'a job that is finished')
      await session.releaseJob('nobody', 'left')
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
  {
    id: 'D33',
    title: 'keeps the jobs, files and summaries of sessions apart, even under the same names',
    async run(harness) {
      const store = harness.create()
      const [left, right] = [await talk(store, 'a', ...texts(2)), await talk(store, 'b', ...texts(2))]
      const work = job('a', 0, 2)
      const summary = { messages: 1, prefixHash: 'x', text: 'of a' }
      await left.commit({ jobs: [work], artifacts: [touch(1)], summary }, AT)
      deepEqual([await right.pendingJobs(), await right.artifacts(), await right.summary()], [[], [], null])
      await right.commit({ jobs: [work] }, AT)
      await left.takeJob(work.id, { holder: 'left', at: AT, until: AT + 99 })
      equal(await right.takeJob(work.id, { holder: 'right', at: AT, until: AT + 99 }), true)
      await right.commit({ finished: [work.id], replaceFrom: 0 }, AT)
      deepEqual(
        (await left.pendingJobs()).map(({ id }) => id),
        [work.id],
      )
      deepEqual([await left.artifacts(), await left.summary(), await left.count()], [[touch(1)], summary, 2])
    },
  },
  {
    id: 'D34',
    title: 'tells what was done to files by message and call, whatever order it came in',
    async run(harness) {
      const session = await talk(harness.create(), 'a', ...texts(6))
      await session.commit(
        {
          artifacts: [
            touch(3, 1),
            touch(5),
            touch(3, 0, 'b\\\0\ud83de\u0301'),
            touch(3, 0, 'a'),
            touch(4, 0, 'a'),
          ],
        },
        AT,
      )
      await session.commit({ artifacts: [{ ...touch(1), failed: true, operation: 'deleted' }] }, AT)
      deepEqual(await session.artifacts(), [
        { ...touch(1), failed: true, operation: 'deleted' },
        ...[touch(3, 0, 'b\\\0\ud83de\u0301'), touch(3, 0, 'a'), touch(3, 1), touch(4, 0, 'a'), touch(5)],
      ])
    },
  },
  {
    id: 'D35',
    title: 'keeps a summary until there is another one or it is taken away',
    async run(harness) {
      const session = await talk(harness.create(), 'a', ...texts(4))
      equal(await session.summary(), null)
      const first = { messages: 2, prefixHash: 'ab', text: `before\0after \ud83d${'x'.repeat(100_000)}` }
      await session.commit({ summary: first }, AT)
      await session.commit({ artifacts: [touch(1)] }, AT)
      deepEqual(await session.summary(), first)
      const second = { messages: 4, prefixHash: 'cd', text: '' }
      await session.commit({ summary: second }, AT)
      deepEqual(await session.summary(), second)
      await session.commit({ summary: null }, AT)
      equal(await session.summary(), null)
    },
  },
]
