import { describe, expect, it } from 'vitest'
import { WindowKeeper } from '../../src/engine/window-keeper.ts'
import { undoCompaction } from '../../src/history/frontier-history.ts'
import type { LcmSession } from '../../src/store/lcm-session.ts'
import {
  AT,
  commit,
  compactTo,
  condenseAll,
  edit,
  leaf,
  numbersOf,
  talk,
  texts,
} from '../../src/store-tests/harness.ts'
import { memoryStore } from '../memory-store.ts'

const undo = async (session: LcmSession) => numbersOf(await undoCompaction(session, { at: AT }))
const nothing = { code: 'NOT_FOUND', message: expect.stringContaining('no compaction to undo') }

describe('undoCompaction', () => {
  it('takes back one compaction after the other, down to the first', async () => {
    const session = await talk(memoryStore(), 'a', ...texts(8))
    await expect(undo(session)).rejects.toMatchObject(nothing)
    await compactTo(session, 2)
    await compactTo(session, 5)
    await condenseAll(session)
    expect(await undo(session)).toEqual([1, 2])
    expect(await undo(session)).toEqual([1])
    expect(await undo(session)).toEqual([])
    const before = await session.versions({ limit: 99 })
    await expect(undo(session)).rejects.toMatchObject(nothing)
    expect(await session.versions({ limit: 99 })).toEqual(before)
    expect(before.map(({ reason }) => reason).slice(0, 3)).toEqual(['undo', 'undo', 'undo'])
  })

  it('takes back a compaction whose summaries came in several writes as one', async () => {
    const session = await talk(memoryStore(), 'a', ...texts(40))
    const keeper = new WindowKeeper(async () => session, { now: () => AT })
    await keeper.load()
    const compact = async (first: number, count: number) => {
      const { nodes, nextSummary } = keeper.window
      const created = await Promise.all(
        Array.from({ length: count }, (_, at) => leaf(session, nextSummary + at, first + at, first + at)),
      )
      await keeper.adopt([...nodes, ...created], created, undefined)
      return [...nodes, ...created].map(({ number }) => number)
    }
    const one = await compact(0, 17)
    const two = await compact(17, 20)
    expect(numbersOf(await session.frontier())).toEqual(two)
    expect(await session.versions({ limit: 99 })).toHaveLength(7)
    expect(keeper.window.version).toBe((await session.head()).version)
    expect(await undo(session)).toEqual(one)
    expect(await undo(session)).toEqual([])
    await expect(undo(session)).rejects.toMatchObject(nothing)
  })

  it('refuses when messages of the old list were replaced since, and says so', async () => {
    const session = await talk(memoryStore(), 'a', ...texts(9))
    await compactTo(session, 2)
    await compactTo(session, 5)
    await condenseAll(session)
    await edit(session, 4, [1], 'new')
    const { version } = await session.head()
    await expect(undo(session)).rejects.toMatchObject({
      code: 'NOT_FOUND',
      message: expect.stringContaining('replaced since'),
    })
    expect((await session.head()).version).toBe(version)
  })

  it('undoes across an edit that the old list outlives, and passes over what the edit has undone', async () => {
    const session = await talk(memoryStore(), 'a', ...texts(9))
    await compactTo(session, 2)
    await compactTo(session, 5)
    await edit(session, 7, [1, 2], 'behind the summaries')
    expect(await undo(session)).toEqual([1])
    await commit(session, [await leaf(session, 3, 3, 6)], [1, 3])
    await edit(session, 5, [1], 'inside the last summary')
    expect(await undo(session)).toEqual([])
    await expect(undo(session)).rejects.toMatchObject(nothing)
  })

  it('is refused under a lease that another one has taken over', async () => {
    const session = await talk(memoryStore(), 'a', ...texts(9))
    await compactTo(session, 2)
    const lease = await session.acquireLease({ holder: 'late', now: 0, ttl: 1 })
    await session.acquireLease({ holder: 'next', now: 5, ttl: 1 })
    if (lease === null) throw new Error('the lease was free')
    await expect(undoCompaction(session, { at: AT, lease })).rejects.toMatchObject({ code: 'STORE_CONFLICT' })
  })
})
