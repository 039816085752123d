import { hash } from 'node:crypto'
import { StoreConflictError } from '../../src/errors/store-error.ts'
import type { DumpRecord } from '../../src/store/dump-record.ts'
import type { LcmSession } from '../../src/store/lcm-session.ts'
import type { SessionRef } from '../../src/store/lcm-store.ts'
import { eachOf } from '../../src/store-tests/harness/collect.ts'
import { type BrokenStore, withSessions, withStore } from './break-store.ts'

/** Stores that are sound but for a race, an edge, or much of something. */
export const NEARLY_SOUND_STORES: readonly BrokenStore[] = [
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
    'counts messages before they are there',
    'S05',
    withSessions((session) => {
      let coming = 0
      return {
        async append(input) {
          coming = 1
          await new Promise(setImmediate)
          return session.append(input).finally(() => {
            coming = 0
          })
        },
        async head() {
          const head = await session.head()
          return { ...head, nextSeq: head.nextSeq + coming }
        },
      }
    }),
  ],
  [
    'keeps whole tokens',
    'S11',
    withSessions((session) => ({
      append({ messages, ...input }) {
        const rounded = messages.map((row) => ({ ...row, tokens: Math.round(row.tokens) }))
        return session.append({ ...input, messages: rounded })
      },
    })),
  ],
  ['gives out five hundred messages at most', 'S23', withAtMost('messages', 500)],
  ['finds a thousand candidates at most', 'S23', withAtMost('candidates', 1_000)],
  ['finds a hundred summaries at most', 'S23', withAtMost('summaryCandidates', 100)],
  [
    'searches the first hundred thousand characters of a message',
    'S24',
    withSessions((session) => ({
      candidates: async (query) =>
        (await session.candidates(query)).filter(({ text }) => text.length < 100_000),
    })),
  ],
  [
    'searches the beginning of a summary',
    'S24',
    withSessions((session) => ({
      summaryCandidates: async (query) =>
        (await session.summaryCandidates(query)).filter(({ text }) => text.length < 1_000),
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
    'does not search what is to be indexed later',
    'S50',
    withSessions((session) => {
      const waiting = new Set<string>()
      return {
        append(input) {
          if (input.indexLater) for (const { text } of input.messages) waiting.add(text)
          return session.append(input)
        },
        candidates: async (query) =>
          (await session.candidates(query)).filter(({ text }) => !waiting.has(text)),
      }
    }),
  ],
  [
    'loses a lease when messages come',
    'S84',
    withSessions((session) => ({
      async append(input) {
        await new Promise(setImmediate)
        await session.releaseLease({ holder: 'me', token: 1 })
        return session.append(input)
      },
    })),
  ],
  [
    'orders a frontier by the numbers of its summaries',
    'S61',
    withSessions((session) => ({
      async frontier(given) {
        const { version, nodes } = await session.frontier(given)
        return { version, nodes: nodes.toSorted((left, right) => left.number - right.number) }
      },
    })),
  ],
  [
    'shares a summary that ends one message behind the fork',
    'S71',
    withSessions((session) => ({
      async fork(input) {
        const child = await session.fork(input)
        const summaries = async (numbers: readonly number[]) =>
          (await session.summaries(numbers)).filter(({ last }) => last <= input.seq)
        return { ...child, summaries }
      },
    })),
  ],
  [
    'gives the lease to all who ask at the same time',
    'S80',
    withSessions((session) => {
      let isTaken = false
      return {
        async acquireLease(request) {
          const wasTaken = isTaken
          const lease = await session.acquireLease(request)
          isTaken = true
          return wasTaken ? lease : (lease ?? { holder: request.holder, token: 1 })
        },
      }
    }),
  ],
  [
    'keeps a summary that begins with what was forgotten',
    'S91',
    withSessions((session) => {
      let kept: number | undefined
      return {
        async forget(input) {
          const { messages, summaries } = await session.forget(input)
          const nodes = await session.summaries(summaries)
          kept ??= nodes.find(({ first }) => first === input.last)?.number
          return { messages, summaries: summaries.filter((number) => number !== kept) }
        },
      }
    }),
  ],
  [
    'forgets messages that forks have of their own',
    'S92',
    withSessions((session) => {
      const forks: LcmSession[] = []
      return {
        async fork(input) {
          const child = await session.fork(input)
          forks.push(child)
          return child
        },
        async forget(input) {
          const forgotten = await session.forget(input)
          for (const child of forks) await child.forget(input)
          return forgotten
        },
      }
    }),
  ],
  [
    'counts what was forgotten',
    'S101',
    withStore((store) => {
      let most = 0
      return {
        async stats() {
          const stats = await store.stats()
          most = Math.max(most, stats.characters)
          return { ...stats, characters: most }
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
  [
    'restores each session for itself',
    'S113',
    withStore((store) => ({
      async restore(records) {
        const written = { sessions: 0, messages: 0 }
        let part: DumpRecord[] = []
        const restorePart = async () => {
          const { sessions, messages } = await store.restore(eachOf(part))
          written.sessions += sessions
          written.messages += messages
          part = []
        }
        for await (const record of records) {
          if (record.type === 'session') await restorePart()
          part.push(record)
        }
        await restorePart()
        return written
      },
    })),
  ],
]

function withAtMost(method: 'messages' | 'candidates' | 'summaryCandidates', most: number) {
  return withSessions((session) => ({
    [method]: (query: { readonly limit: number }) =>
      session[method]({ ...query, limit: Math.min(query.limit, most) } as never),
  }))
}
