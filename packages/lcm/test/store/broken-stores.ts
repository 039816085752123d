import { hash } from 'node:crypto'
import { wrapSessions } from '../../../sqlite-kit/test/wrap-sessions.ts'
import { StoreConflictError } from '../../src/errors/store-error.ts'
import type { LcmSession } from '../../src/store/lcm-session.ts'
import type { LcmStore, SessionRef } from '../../src/store/lcm-store.ts'
import { memoryStore } from '../memory-store.ts'

/** A store with one fault, and a case that must find it. */
type BrokenStore = readonly [fault: string, found: string, create: () => LcmStore]

/** A store whose sessions have members that take the place of a sound session's. */
function withSessions(change: (session: LcmSession) => Partial<LcmSession>): () => LcmStore {
  return () => {
    const wrap = (session: LcmSession): LcmSession => ({ ...session, ...change(session) })
    return wrapSessions(memoryStore(), wrap)
  }
}

function withStore(change: (store: LcmStore) => Partial<LcmStore>): () => LcmStore {
  return () => {
    const store = memoryStore()
    return { ...store, ...change(store) }
  }
}

/** Stores with one fault each, and a case that must find it. */
export const BROKEN_STORES: readonly BrokenStore[] = [
  [
    'writes at the end, whatever number the writer knows',
    'S02',
    withSessions((session) => ({
      append: async (input) => session.append({ ...input, nextSeq: (await session.head()).nextSeq }),
    })),
  ],
  [
    'does not notice an edit when it appends',
    'S09',
    withSessions((session) => ({
      append: ({ version, ...input }) =>
        session.append(input.replace === undefined || version === undefined ? input : { ...input, version }),
    })),
  ],
  [
    'cuts texts at a NUL character',
    'S10',
    withSessions((session) => ({
      messages: async (query) =>
        (await session.messages(query)).map((row) => ({ ...row, json: row.json.split('\\u0000')[0] ?? '' })),
    })),
  ],
  [
    'shows replaced messages',
    'S30',
    withSessions((session) => ({
      messages: (query) => session.messages({ ...query, includeReplaced: true }),
    })),
  ],
  [
    'finds words in lower case only',
    'S50',
    withSessions((session) => ({
      candidates: async (query) =>
        (await session.candidates(query)).filter(
          ({ text }) => query.where.length === 0 || text === text.toLowerCase(),
        ),
    })),
  ],
  [
    'commits on any version',
    'S62',
    withSessions((session) => ({
      commit: async (input) => session.commit({ ...input, version: (await session.head()).version }),
    })),
  ],
  [
    'does not look at leases',
    'S82',
    withSessions((session) => ({ commit: ({ lease: _, ...input }) => session.commit(input) })),
  ],
  [
    'gives every holder the lease',
    'S80',
    withSessions(() => ({ acquireLease: async ({ holder }) => ({ holder, token: 1 }) })),
  ],
  [
    'forgets messages and leaves their summaries',
    'S90',
    withSessions((session) => {
      const kept = new Map<number, string>()
      return {
        commit: async (input) => {
          for (const { number, text } of input.create) kept.set(number, text)
          return session.commit(input)
        },
        summaries: async (numbers) =>
          (await session.summaries(numbers)).map((node) => ({
            ...node,
            text: kept.get(node.number) ?? node.text,
          })),
      }
    }),
  ],
  [
    'takes all principals for one',
    'S41',
    withStore((store) => ({ session: ({ key }, at) => store.session({ key }, at) })),
  ],
  ['answers after it was closed', 'S104', withStore(() => ({ close: async () => {} }))],
  [
    'looks at the version first and commits later',
    'S05',
    withSessions((session) => ({
      async commit(input) {
        const known = await session.head()
        if (known.version !== input.version) throw new StoreConflictError('another writer was faster')
        await new Promise(setImmediate)
        const { version } = await session.head()
        return session.commit({ ...input, version, create: input.create.slice(version) })
      },
    })),
  ],
  [
    'gives out five hundred messages at most',
    'S23',
    withSessions((session) => ({
      messages: (query) => session.messages({ ...query, limit: Math.min(query.limit, 500) }),
    })),
  ],
  [
    'finds a session by a digest of its two names, joined with a slash',
    'S42',
    withStore((store) => {
      const joined = ({ principal = 'local', key }: SessionRef) => ({
        key: key && hash('sha256', JSON.stringify(`${principal}/${key}`)),
      })
      const named = (session: LcmSession, { principal = 'local', key }: SessionRef) => ({
        ...session,
        ...{ principal, key },
      })
      return {
        session: async (ref, at) => named(await store.session(joined(ref), at), ref),
        async find(ref) {
          const session = await store.find(joined(ref))
          return session && named(session, ref)
        },
      }
    }),
  ],
  [
    'takes the limit before it looks what matches',
    'S108',
    withStore((store) => ({
      async list({ matching, ...query }) {
        const page = await store.list(query)
        if (matching === undefined) return page
        const named = await store.list({ ...query, matching, limit: 1_000 })
        return page.filter(({ key }) => named.some((each) => each.key === key))
      },
    })),
  ],
]
