import type { StoredSession } from '@palimpsest/core'
import { describe, expect, it } from 'vitest'
import { undoCompaction } from '../../src/history/frontier-history.ts'
import { commit, replaceFrom, START, sessionOf, summary, user } from '../search/session-fixture.ts'
import { compactTo, condenseAll, numbered } from './session-steps.ts'

const talk = (count: number) => sessionOf(numbered(count).map(user))
const undo = async (session: StoredSession) => (await undoCompaction(session, { at: START })).summaries
const nothing = { code: 'NOT_FOUND', message: expect.stringContaining('no compaction to undo') }

describe('undoCompaction', () => {
  it('takes back one compaction after the other, down to the first', async () => {
    const session = await talk(8)
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

  it('refuses when messages of the old list were replaced since, and says so', async () => {
    const session = await talk(9)
    await compactTo(session, 2)
    await compactTo(session, 5)
    await condenseAll(session)
    await replaceFrom(session, 4, [user('new')])
    const { version } = await session.head()
    await expect(undo(session)).rejects.toMatchObject({
      code: 'NOT_FOUND',
      message: expect.stringContaining('replaced since'),
    })
    expect((await session.head()).version).toBe(version)
  })

  it('undoes across an edit that the old list outlives, and passes over what the edit has undone', async () => {
    const session = await talk(9)
    await compactTo(session, 2)
    await compactTo(session, 5)
    await replaceFrom(session, 7, [user('behind the summaries')])
    expect(await undo(session)).toEqual([1])
    await commit(session, [summary({ number: 3, first: 3, last: 6, text: 'other' })], [1, 3])
    await replaceFrom(session, 5, [user('inside the last summary')])
    expect(await undo(session)).toEqual([])
    await expect(undo(session)).rejects.toMatchObject(nothing)
  })

  it('is refused under a lease that another one has taken over', async () => {
    const session = await talk(9)
    await compactTo(session, 2)
    const lease = await session.acquireLease({ holder: 'late', now: 0, ttl: 1 })
    await session.acquireLease({ holder: 'next', now: 5, ttl: 1 })
    if (lease === null) throw new Error('the lease was free')
    await expect(undoCompaction(session, { at: START, lease })).rejects.toMatchObject({
      code: 'STORE_CONFLICT',
    })
  })
})
