import { type BrokenStore, withSessions, withStore } from './break-store.ts'

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
    'drops identical messages',
    'S06',
    withSessions((session) => ({
      append: (input) =>
        session.append({
          ...input,
          messages: [...new Map(input.messages.map((row) => [row.hash, row])).values()],
        }),
    })),
  ],
  [
    'takes the limit before the order',
    'S20',
    withSessions((session) => ({
      messages: async (query) => (await session.messages({ ...query, order: 'oldest' })).reverse(),
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
    'finds no text shorter than three characters',
    'S50',
    withSessions((session) => ({
      candidates: async (query) =>
        query.where.some((terms) => terms.some(({ text }) => text.length < 3))
          ? []
          : session.candidates(query),
    })),
  ],
  [
    'looks at the newest ten messages only',
    'S53',
    withSessions((session) => ({
      candidates: async (query) => {
        const { nextSeq } = await session.head()
        return session.candidates({ ...query, first: Math.max(query.first ?? 0, nextSeq - 10) })
      },
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
    'forgets without telling who writes',
    'S94',
    withSessions((session) => ({
      append: async ({ version: _, ...input }) => session.append(input),
    })),
  ],
  [
    'forks with an empty frontier',
    'S70',
    withSessions((session) => ({ fork: (input) => session.fork({ ...input, summaries: [] }) })),
  ],
  [
    'shares the whole parent with a fork',
    'S71',
    withSessions((session) => ({
      fork: async (input) => session.fork({ ...input, seq: (await session.head()).nextSeq }),
    })),
  ],
  [
    'takes all principals for one',
    'S41',
    withStore((store) => ({ session: ({ key }, at) => store.session({ key }, at) })),
  ],
  [
    'lists sessions in any order',
    'S100',
    withStore((store) => ({ list: async (query) => (await store.list(query)).reverse() })),
  ],
  [
    'names no fork in which something matches',
    'S108',
    withStore((store) => ({
      list: async (query) =>
        (await store.list(query)).filter(({ messages }) => query.matching === undefined || messages > 0),
    })),
  ],
  ['answers after it was closed', 'S104', withStore(() => ({ close: async () => {} }))],
  [
    'restores what it is given, in whatever state it is',
    'S114',
    withStore((store) => ({
      restore: async (records) => {
        try {
          return await store.restore(records)
        } catch {
          return { sessions: 0, messages: 0 }
        }
      },
    })),
  ],
]
