import { DatabaseSync } from 'node:sqlite'
import { setImmediate } from 'node:timers/promises'
import { describe, expect, it, vi } from 'vitest'
import { encodeMessage } from '../../src/messages/encode-message.ts'
import { hashSummary } from '../../src/store/hash-summary.ts'
import type { LcmSession } from '../../src/store/lcm-session.ts'
import type { LcmStore } from '../../src/store/lcm-store.ts'
import type { SummaryNode } from '../../src/store/summary-node.ts'
import { say, summarize, useFolders } from './store-folder.ts'

const { open, path: newPath } = useFolders()

/** Appends user messages that are to be indexed later. */
async function sayLater(session: LcmSession, count: number, text: (index: number) => string): Promise<void> {
  const { nextSeq } = await session.head()
  const messages = Array.from({ length: count }, (_, index) =>
    encodeMessage({ role: 'user', content: text(index) }, 1),
  )
  await session.append({ nextSeq, messages, at: 1, indexLater: true })
}

/** Two messages that are indexed at once, and forty that come together. */
async function filled(path: string): Promise<{ store: LcmStore; session: LcmSession }> {
  const store = open(path)
  const session = await store.session({ key: 'a' }, 1)
  await say(session, 'alpha 0 漢字', 'bravo 1')
  await sayLater(session, 40, (index) => `${index % 2 === 0 ? 'Alpha' : 'bravo'} ${index + 2} 漢字`)
  return { store, session }
}

function left(path: string): number {
  const database = new DatabaseSync(path, { readOnly: true })
  const { count } = database.prepare('SELECT count(*) AS count FROM unindexed').get() as { count: number }
  database.close()
  return count
}

const evens = Array.from({ length: 21 }, (_, index) => 2 * index)
const alpha: Parameters<LcmSession['candidates']>[0] = {
  where: [[{ kind: 'word', text: 'alpha' }]],
  order: 'oldest',
  limit: 99,
}

const substring = (text: string) => [[{ kind: 'substring' as const, text }]]

async function found(session: LcmSession | null, query: Partial<typeof alpha> = {}) {
  return (await session?.candidates({ ...alpha, ...query }))?.map(({ seq }) => seq)
}

describe('a history that comes at once', () => {
  it('is found before and after it is indexed, in either order, to the limit and between bounds', async () => {
    const path = newPath()
    const { store, session } = await filled(path)
    for (const rest of [40, 0]) {
      expect(left(path)).toBe(rest)
      for (const reader of [session, await open(path, true).find({ key: 'a' })]) {
        expect(await found(reader)).toEqual(evens)
        expect(await found(reader, { order: 'newest', limit: 3 })).toEqual([40, 38, 36])
        expect(await found(reader, { limit: 3 })).toEqual([0, 2, 4])
        expect(await found(reader, { first: 3, last: 9 })).toEqual([4, 6, 8])
        const grams = await found(reader, { where: substring('漢字') })
        expect(grams).toHaveLength(41)
      }
      expect(await store.check()).toEqual([])
      expect(await store.repair()).toEqual([])
    }
  })

  it('has summaries that are found in the same way, and forgotten', async () => {
    const path = newPath()
    const { store, session } = await filled(path)
    await summarize(session, 0, 1, 'about alpha 1')
    const create = [2, 3, 4, 5, 6].map((number): SummaryNode => {
      const node = {
        ...{ number, depth: 0, first: number, last: number, messages: 1, children: [] },
        ...{ text: `about ${number % 2 === 0 ? 'alpha' : 'bravo'} ${number}`, tokens: 1, sourceTokens: 1 },
        ...{ writer: 'model' as const, at: 1, from: 1, to: 1 },
      }
      return { ...node, hash: hashSummary(node) }
    })
    await session.commit({
      version: 1,
      create,
      indexLater: true,
      summaries: [1, 2, 3, 4, 5, 6],
      reason: 'compaction',
      at: 1,
    })
    const numbers = async (query: Partial<typeof alpha> = {}) =>
      (await session.summaryCandidates({ ...alpha, where: substring('alpha'), ...query })).map(
        ({ number }) => number,
      )
    for (const rest of [45, 0]) {
      expect(left(path)).toBe(rest)
      expect(await numbers()).toEqual([1, 2, 4, 6])
      expect(await numbers({ order: 'newest', limit: 2 })).toEqual([6, 4])
      expect(await numbers({ limit: 2 })).toEqual([1, 2])
      expect(await numbers({ first: 2, last: 5 })).toEqual([2, 4])
      expect(await store.check()).toEqual([])
      if (rest > 0) expect(await store.repair()).toEqual([])
    }
  })

  it('is among the sessions in which something may match', async () => {
    const store = open(newPath())
    const session = await store.session({ key: 'a' }, 1)
    await sayLater(session, 1, () => 'charlie')
    await store.session({ key: 'b' }, 1)
    const matching = { where: [[{ kind: 'word', text: 'charlie' }]], among: 'messages' } as const
    expect((await store.list({ matching, limit: 9 })).map(({ key }) => key)).toEqual(['a'])
  })

  it('is found in a fork, and without what was replaced', async () => {
    const { session } = await filled(newPath())
    const fork = await session.fork({ key: 'b', seq: 20, summaries: [], at: 1 })
    await sayLater(fork, 4, (index) => (index === 2 ? 'alpha' : 'bravo'))
    await fork.append({ nextSeq: 24, messages: [], at: 1, version: 0, replace: { from: 16, summaries: [] } })
    await sayLater(fork, 3, () => 'alpha')
    expect(await found(fork)).toEqual([0, 2, 4, 6, 8, 10, 12, 14, 24, 25, 26])
    expect(await found(fork, { order: 'newest', limit: 4 })).toEqual([26, 25, 24, 14])
    expect(await found(fork, { includeReplaced: true, first: 15, last: 25 })).toEqual([16, 18, 22, 24, 25])
  })

  it('is read in slices by a search, which finds what is indexed meanwhile', async () => {
    const store = open(newPath())
    const session = await store.session({ key: 'a' }, 1)
    const filler = 'nothing to see here. '.repeat(500)
    await sayLater(session, 1_500, (index) => `${index % 500 === 0 ? 'alpha' : filler} ${index}`)
    let isDone = false
    const search = found(session).finally(() => {
      isDone = true
    })
    await setImmediate()
    expect(isDone).toBe(false)
    // It indexes the rest before the search goes on.
    const repaired = store.repair()
    expect(await search).toEqual([0, 500, 1_000])
    expect(await repaired).toEqual([])
    expect(await found(session)).toEqual([0, 500, 1_000])
  })

  it('is forgotten before it is indexed', async () => {
    const path = newPath()
    const { store, session } = await filled(path)
    await session.forget({ first: 0, last: 20, reason: 'asked', at: 9 })
    expect(await found(session)).toEqual(evens.slice(11))
    expect(await store.check()).toEqual([])
    expect(await store.repair()).toEqual([])
    expect(await found(session)).toEqual(evens.slice(11))
  })

  it('is indexed in the background, and by the next process when this one ends', async () => {
    const path = newPath()
    const { store } = await filled(path)
    await store.close()
    expect(left(path)).toBe(40)
    const session = await open(path).session({ key: 'a' }, 1)
    await vi.waitFor(() => expect(left(path)).toBe(0), { timeout: 20_000, interval: 100 })
    expect(await found(session)).toEqual(evens)
  })
})
