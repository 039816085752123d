import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it, vi } from 'vitest'
import type { LcmSession } from '../../src/store/lcm-session.ts'
import type { LcmStore } from '../../src/store/lcm-store.ts'
import { say, useFolders } from './store-folder.ts'

const { open, path: newPath } = useFolders()

/** Two messages that are indexed at once, and forty that come together. */
async function filled(path: string): Promise<{ store: LcmStore; session: LcmSession }> {
  const store = open(path)
  const session = await store.session({ key: 'a' }, 1)
  await say(session, 'alpha 0 漢字', 'bravo 1')
  await say(
    session,
    ...Array.from({ length: 40 }, (_, index) => `${index % 2 === 0 ? 'Alpha' : 'bravo'} ${index + 2} 漢字`),
  )
  return { store, session }
}

function left(path: string): number {
  const database = new DatabaseSync(path, { readOnly: true })
  const { count } = database.prepare('SELECT count(*) AS count FROM unindexed').get() as { count: number }
  database.close()
  return count
}

const evens = Array.from({ length: 21 }, (_, index) => 2 * index)
const alpha = { where: [[{ kind: 'word', text: 'alpha' }]], order: 'oldest', limit: 99 } as const

async function found(
  session: LcmSession | null,
  query: Partial<Parameters<LcmSession['candidates']>[0]> = {},
) {
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
        const grams = await found(reader, { where: [[{ kind: 'substring', text: '漢字' }]] })
        expect(grams).toHaveLength(41)
      }
      expect(await store.check()).toEqual([])
      expect(await store.repair()).toEqual([])
    }
  })

  it('is among the sessions in which something may match', async () => {
    const store = open(newPath())
    const session = await store.session({ key: 'a' }, 1)
    await say(session, ...Array.from({ length: 20 }, (_, index) => `charlie ${index}`))
    await store.session({ key: 'b' }, 1)
    const matching = { where: [[{ kind: 'word', text: 'charlie' }]], among: 'messages' } as const
    expect((await store.list({ matching, limit: 9 })).map(({ key }) => key)).toEqual(['a'])
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
