import { type BrokenStore, withSessions, withStore } from './break-store.ts'

/** Stores with one fault each, and a case that must find it. */
export const BROKEN_STORES: readonly BrokenStore[] = [
  [
    'counts both ends of a range',
    'D01',
    withSessions((session) => ({
      sources: ({ from, to } = {}) =>
        session.sources({ ...(from !== undefined && { from }), ...(to !== undefined && { to: to + 1 }) }),
    })),
  ],
  [
    'cuts texts at a NUL character',
    'D02',
    withSessions((session) => ({
      sources: async (range) =>
        (await session.sources(range)).map((source) => ({
          ...source,
          text: source.text.split('\0')[0] ?? '',
        })),
    })),
  ],
  [
    'loses half of a character',
    'D02',
    withSessions((session) => ({
      sources: async (range) =>
        (await session.sources(range)).map((source) => ({ ...source, text: source.text.toWellFormed() })),
    })),
  ],
  [
    'writes messages at the end, whatever number they have',
    'D03',
    withSessions((session) => ({
      commit: async ({ sources = [], ...batch }, at) => {
        const count = batch.replaceFrom ?? (await session.count())
        const moved = sources.map((source, index) => ({ ...source, message: count + index }))
        return session.commit({ ...batch, sources: moved }, at)
      },
    })),
  ],
  [
    'takes what a worker writes that does not know what was taken back',
    'D13',
    withSessions((session) => ({
      commit: ({ known: _, ...batch }, at) => session.commit(batch, at),
    })),
  ],
  [
    'gives out the objects that it was given',
    'D04',
    withSessions((session) => {
      const given: unknown[] = []
      return {
        commit: async (batch, at) => {
          await session.commit(batch, at)
          given.push(...(batch.sources ?? []))
        },
        sources: async () => given as never,
      }
    }),
  ],
  [
    'keeps the files and jobs of messages that were replaced',
    'D10',
    withSessions((session) => {
      const touches: unknown[] = []
      return {
        commit: async (batch, at) => {
          await session.commit(batch, at)
          touches.push(...(batch.artifacts ?? []))
        },
        artifacts: async () => touches as never,
      }
    }),
  ],
  [
    'takes the events of replaced messages away',
    'D10',
    withSessions((session) => {
      let replaced = Number.POSITIVE_INFINITY
      return {
        commit: async (batch, at) => {
          await session.commit(batch, at)
          replaced = Math.min(replaced, batch.replaceFrom ?? replaced)
        },
        events: async (query) =>
          (await session.events(query)).filter(
            ({ event }) => event.type === 'withdrawn' || event.source.message < replaced,
          ),
      }
    }),
  ],
  [
    'does not look where a replacement begins',
    'D12',
    withSessions((session) => ({
      commit: async ({ replaceFrom, ...batch }, at) => {
        const count = await session.count()
        const from = replaceFrom === undefined ? {} : { replaceFrom: Math.min(replaceFrom, count) }
        return session.commit({ ...batch, ...from }, at)
      },
    })),
  ],
  [
    'gives out the event of the number that was asked for once more',
    'D20',
    withSessions((session) => ({
      events: ({ after = 0, ...query }) => session.events({ ...query, after: Math.max(0, after - 1) }),
    })),
  ],
  [
    'orders events by scope',
    'D22',
    withSessions((session) => ({
      events: async (query) =>
        (await session.events(query)).toSorted((left, right) =>
          left.event.scope < right.event.scope ? -1 : 1,
        ),
    })),
  ],
  [
    'appends an event each time that it comes',
    'D21',
    withSessions((session) => ({
      events: async (query) => (await session.events(query)).flatMap((stored) => [stored, stored]),
    })),
  ],
  [
    'takes all principals for one',
    'D23',
    withStore((store) => ({ session: ({ key }, at) => store.session({ key }, at) })),
  ],
  [
    'brings finished jobs back',
    'D30',
    withSessions((session) => ({ commit: ({ finished: _, ...batch }, at) => session.commit(batch, at) })),
  ],
  ['gives a job to everybody', 'D31', withSessions(() => ({ takeJob: async () => true }))],
  [
    'looks first and takes a job later',
    'D32',
    withSessions((session) => ({
      takeJob: async (id) => {
        const isFree = (await session.pendingJobs()).some((job) => job.id === id && job.attempts === 0)
        if (isFree) await session.takeJob(id, { holder: 'anybody', at: 0, until: 0 })
        return isFree
      },
    })),
  ],
  [
    'lets the last of two summaries be the first',
    'D35',
    withSessions((session) => ({
      commit: async ({ summary, ...batch }, at) =>
        session.commit(
          summary === undefined || (await session.summary()) !== null ? batch : { ...batch, summary },
          at,
        ),
    })),
  ],
  [
    'writes the sound parts of a batch',
    'D40',
    withSessions((session) => ({
      commit: async (batch, at) => {
        if (batch?.sources !== undefined)
          await session
            .commit({ sources: batch.sources, replaceFrom: batch.replaceFrom ?? 0 }, 1)
            .catch(() => {})
        return session.commit(batch, at)
      },
    })),
  ],
  [
    'writes the events of a batch that comes too late',
    'D41',
    withSessions((session) => ({
      commit: async (batch, at) => {
        await session.commit({ events: batch.events ?? [] }, at)
        return session.commit(batch, at)
      },
    })),
  ],
  [
    'makes a session that is looked for',
    'D50',
    withStore((store) => ({ find: (ref) => store.session(ref, 1) })),
  ],
  [
    'lists sessions in any order',
    'D52',
    withStore((store) => ({ list: async (query) => (await store.list(query)).toReversed() })),
  ],
  [
    'takes what a broken clock says',
    'D53',
    withStore((store) => ({ session: (ref, at) => store.session(ref, Math.abs(Number(at)) || 0) })),
  ],
  ['answers after it was closed', 'D54', withStore(() => ({ close: async () => {} }))],
]
