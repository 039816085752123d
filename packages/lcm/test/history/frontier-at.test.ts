import { describe, expect, it } from 'vitest'
import { frontierAt } from '../../src/history/frontier-history.ts'
import { append, replaceFrom, sessionOf, user } from '../search/session-fixture.ts'
import { compactTo, condenseAll, numbered, numbersOf } from './session-steps.ts'

const talk = (count: number) => sessionOf(numbered(count).map(user))

describe('frontierAt', () => {
  it('is the list of summaries that were shown when a message was the last one', async () => {
    const session = await talk(4)
    await compactTo(session, 1)
    await append(session, [user('m4'), user('m5')])
    await compactTo(session, 3)
    await append(session, [user('m6')])
    await condenseAll(session)
    const lists = await Promise.all([0, 1, 2, 3, 4, 5, 6, 99].map((seq) => frontierAt(session, seq)))
    expect(lists.map(({ summaries }) => numbersOf(summaries))).toEqual([
      ...[[], [], [], [1], [1], [1, 2], [3], [3]],
    ])
    expect(lists.map(({ version }) => version)).toEqual([0, 0, 0, 1, 1, 2, 3, 3])
  })

  it('is the one before an edit for messages before it, and the one after it from its first message on', async () => {
    const session = await talk(6)
    await compactTo(session, 1)
    await compactTo(session, 4)
    await replaceFrom(session, 3, [user('m6'), user('m7')])
    const lists = await Promise.all([5, 6, 7].map((seq) => frontierAt(session, seq)))
    expect(lists.map(({ summaries }) => numbersOf(summaries))).toEqual([[1, 2], [1], [1]])
  })
})
