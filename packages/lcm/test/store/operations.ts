import fc from 'fast-check'
import { StoreError } from '../../src/errors/store-error.ts'
import { cutFrontier, frontierAt, undoCompaction } from '../../src/history/frontier-history.ts'
import type { LcmSession } from '../../src/store/lcm-session.ts'
import type { LcmStore } from '../../src/store/lcm-store.ts'
import { AT, commit, condense, edit, leaf, say, userMessages } from '../../src/store-tests/harness.ts'

/** Something that is done to a store. `pick` chooses among what the store then holds. */
export interface Operation {
  readonly kind: keyof typeof OPERATIONS
  readonly session: number
  readonly pick: number
  readonly size: number
  readonly texts: readonly string[]
}

/** Few words, so that searches find something; and all that Unicode has. */
export const word = fc.oneof(
  fc.constantFrom(
    'fox',
    'Fox',
    'foxes',
    'quick_fox',
    '寿司',
    '東京で寿司',
    'über',
    'ÜBER',
    '한국어',
    'a.b',
    '😀',
    '42',
  ),
  fc.string({ unit: 'binary', maxLength: 4 }),
  fc.string({ unit: 'grapheme', maxLength: 4 }),
)

const text = fc.array(word, { maxLength: 5 }).map((words) => words.join(' '))

type Act = (session: LcmSession, operation: Operation, store: LcmStore) => Promise<unknown>

const next = async (session: LcmSession) => {
  const { nodes } = await session.frontier()
  const { nextSeq, nextSummary, version } = await session.head()
  const rest = await session.messages({ first: (nodes.at(-1)?.last ?? -1) + 1, limit: 1 })
  return { nodes, nextSeq, nextSummary, version, first: rest[0]?.seq ?? nextSeq }
}

const OPERATIONS = {
  say: (session, { texts }) => say(session, ...texts),
  sayMore: (session, { texts }) => say(session, ...texts, 'fox', ...texts),
  sayLate: async (session, { texts, pick }) => {
    const { nextSeq } = await session.head()
    return session.append({ nextSeq: nextSeq - (pick % 3), messages: userMessages(...texts), at: AT })
  },
  sayOnOldVersion: async (session, { texts, pick }) => {
    const { nextSeq, version } = await session.head()
    const messages = userMessages(...texts)
    return session.append({ nextSeq, version: version - (pick % 2), messages, at: AT })
  },
  edit: async (session, { texts, pick }) => {
    const { nodes, nextSeq } = await next(session)
    const from = pick % (nextSeq + 1)
    return edit(session, from, await cutFrontier(session, nodes, from), ...texts)
  },
  editWithAnyFrontier: async (session, { pick, size, texts }) => {
    const { nodes, nextSeq } = await next(session)
    const kept = nodes.map(({ number }) => number).slice(0, size)
    return edit(session, pick % (nextSeq + 1), kept, ...texts)
  },
  compact: async (session, { size, texts }) => {
    const { nodes, nextSummary, first, nextSeq } = await next(session)
    const messages = await session.messages({ first, limit: size + 1 })
    const node = await leaf(session, nextSummary, first, messages.at(-1)?.seq ?? nextSeq, texts.join())
    return commit(session, [node], [...nodes.map(({ number }) => number), nextSummary])
  },
  compactAnything: async (session, { pick, size }) => {
    const { nodes, nextSummary, nextSeq } = await next(session)
    const first = pick % (nextSeq + 2)
    const node = await leaf(session, nextSummary, first, first + size)
    return commit(session, [node], [...nodes.map(({ number }) => number).slice(0, pick % 4), nextSummary])
  },
  condense: async (session, { pick, size, texts }) => {
    const { nodes, nextSummary } = await next(session)
    const start = pick % (nodes.length + 1)
    const taken = nodes.slice(start, start + size + 1)
    if (taken.length === 0) return 'nothing to condense'
    const numbers = nodes.map(({ number }) => number).toSpliced(start, taken.length, nextSummary)
    return commit(session, [condense(nextSummary, taken, texts.join())], numbers)
  },
  undo: (session) => undoCompaction(session, { at: AT }),
  begin: async (_, { size }, store) => (await store.session({ key: `session ${size}` }, AT)).head(),
  forget: (session, { pick, size }) =>
    session.forget({ first: pick % 20, last: (pick % 20) + size - 1, reason: 'asked', at: AT }),
  lease: (session, { pick, size }) =>
    session.acquireLease({ holder: `holder ${size % 2}`, now: pick, ttl: size * 5 }),
  release: (session, { pick, size }) =>
    session.releaseLease({ holder: `holder ${size % 2}`, token: pick % 4 }),
  commitUnderLease: async (session, { pick, size }) => {
    const { version } = await session.head()
    const lease = { holder: `holder ${size % 2}`, token: pick % 4 }
    return session.commit({ version, create: [], summaries: [], reason: 'undo', at: AT, lease })
  },
  look: async (session, { pick, size, texts }) => {
    const query = { first: pick % 20, limit: size, includeReplaced: size % 2 === 0 } as const
    return [
      await session.messages({ ...query, order: 'newest' }),
      await session.messages({ ...query, last: (pick % 20) + 3 }),
      await session.compare(
        [pick % 20, 25, 50],
        texts.map((content) => ({ role: 'user', content }) as const),
      ),
      await session.versions({ before: pick % 9, limit: size }),
      await session.summaries([size, pick % 9, 1, 2]),
      await frontierAt(session, pick % 20),
    ]
  },
} satisfies Record<string, Act>

export const operation: fc.Arbitrary<Operation> = fc.record({
  kind: fc.constantFrom(...(Object.keys(OPERATIONS) as (keyof typeof OPERATIONS)[])),
  session: fc.nat({ max: 9 }),
  pick: fc.nat({ max: 99 }),
  size: fc.nat({ max: 6 }),
  texts: fc.array(text, { maxLength: 4 }),
})

/** Does it to one of the store's sessions. The answer, or the code of the error. */
export async function perform(store: LcmStore, operation: Operation): Promise<unknown> {
  const sessions = await store.list({ limit: 100 })
  const info = sessions[operation.session % sessions.length]
  const session = info && (await store.find(info))
  if (!session) throw new Error('there is no session')
  try {
    const act: Act = OPERATIONS[operation.kind]
    return await act(session, operation, store)
  } catch (error) {
    if (StoreError.isInstance(error)) return { refused: error.code }
    throw error
  }
}
