import { hashText } from '../../src/log/hash-text.ts'
import type { DecisionSession, DecisionSessionRef } from '../../src/store/decision-store.ts'
import { type BrokenStore, withSessions, withStore } from './break-store.ts'

/** Stores that are sound but for a race, an edge, or much of something. */
export const NEARLY_SOUND_STORES: readonly BrokenStore[] = [
  [
    'gives out a thousand messages at most',
    'D05',
    withSessions((session) => ({
      sources: async (range) => (await session.sources(range)).slice(0, 1_000),
    })),
  ],
  [
    'drops the summary when messages are replaced',
    'D10',
    withSessions((session) => ({
      commit: (batch, at) =>
        session.commit(batch.replaceFrom === undefined ? batch : { summary: null, ...batch }, at),
    })),
  ],
  [
    'drops a job that ends where a replacement begins',
    'D10',
    withSessions((session) => ({
      async commit(batch, at) {
        const ended = (await session.pendingJobs()).filter(({ to }) => to === batch.replaceFrom)
        return session.commit({ ...batch, finished: ended.map(({ id }) => id) }, at)
      },
    })),
  ],
  [
    'looks first whether messages were taken back, and writes later',
    'D13',
    withSessions((session) => ({
      async commit({ known, ...batch }, at) {
        if (known !== undefined) await session.commit({ known }, at)
        return session.commit(batch, at)
      },
    })),
  ],
  [
    'numbers the events of each scope for itself',
    'D22',
    withSessions((session) => {
      const number = (rows: Awaited<ReturnType<DecisionSession['events']>>) =>
        rows.map(({ event }, index) => {
          const earlier = rows.slice(0, index).filter((row) => row.event.scope === event.scope)
          return { seq: earlier.length + 1, event }
        })
      return {
        events: async ({ scopes, after = 0 }) =>
          number(await session.events({ scopes })).filter(({ seq }) => seq > after),
      }
    }),
  ],
  [
    'puts a job that was taken behind the others',
    'D30',
    withSessions((session) => ({
      pendingJobs: async () =>
        (await session.pendingJobs()).toSorted((left, right) => left.attempts - right.attempts),
    })),
  ],
  [
    'keeps what was done to a file last',
    'D34',
    withSessions((session) => ({
      artifacts: async () => [
        ...new Map((await session.artifacts()).map((touch) => [touch.path, touch])).values(),
      ],
    })),
  ],
  [
    'writes messages before the rest of their batch',
    'D42',
    withSessions((session) => ({
      async commit({ sources = [], ...batch }, at) {
        await session.commit({ sources }, at)
        await new Promise(setImmediate)
        return session.commit(batch, at)
      },
    })),
  ],
  [
    'finds a session by a digest of its two names, joined with a colon',
    'D51',
    withStore((store) => {
      const joined = ({ principal = 'local', key }: DecisionSessionRef) => ({
        key: hashText(JSON.stringify(`${principal}:${key}`)),
      })
      return {
        session: async (ref, at) => ({ ...(await store.session(joined(ref), at)), ...ref }),
        async find(ref) {
          const session = await store.find(joined(ref))
          return session && { ...session, ...ref }
        },
      }
    }),
  ],
  [
    'lists a hundred sessions at most',
    'D51',
    withStore((store) => ({ list: async (query) => (await store.list(query)).slice(0, 100) })),
  ],
]
