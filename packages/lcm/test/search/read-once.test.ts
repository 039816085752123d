import { describe, expect, it } from 'vitest'
import { readOnce } from '../../src/search/read-once.ts'
import { searchMessages } from '../../src/search/search-messages.ts'
import type { CandidateQuery } from '../../src/store/candidate-query.ts'
import type { LcmSession } from '../../src/store/lcm-session.ts'
import { clock, sessionOf, user } from './session-fixture.ts'

/** Notes what a session is asked for. */
function watched(session: LcmSession) {
  const asked: CandidateQuery[] = []
  const candidates = (query: CandidateQuery) => {
    asked.push(query)
    return session.candidates(query)
  }
  return { asked, session: { ...session, candidates } }
}

const word = (text: string) => [[{ kind: 'word', text } as const]]

describe('readOnce', () => {
  it('answers from a longer list, or one that is complete, in either case of ASCII letters', async () => {
    const texts = Array.from({ length: 9 }, (_, index) => user(`Apple ${index}`))
    const { asked, session } = watched(await sessionOf([...texts, user('Äpfel')]))
    const read = readOnce((query) => session.candidates(query))
    const seqs = async (query: CandidateQuery) => (await read(query)).map(({ seq }) => seq)
    const newest = { where: word('Apple'), order: 'newest' } as const
    expect(await seqs({ ...newest, limit: 4 })).toEqual([8, 7, 6, 5])
    expect(await seqs({ ...newest, where: word('apple'), limit: 2 })).toEqual([8, 7])
    expect(asked).toHaveLength(1)
    expect(await seqs({ ...newest, limit: 50 })).toHaveLength(9)
    expect(await seqs({ ...newest, limit: 99 })).toHaveLength(9)
    expect(asked).toHaveLength(2)
    expect([...(asked[1]?.known?.keys() ?? [])].length).toBeGreaterThanOrEqual(4)
    expect(await seqs({ ...newest, order: 'oldest', limit: 2 })).toEqual([0, 1])
    expect(await seqs({ ...newest, first: 3, last: 4, limit: 2 })).toEqual([4, 3])
    expect(await seqs({ ...newest, where: word('Äpfel'), limit: 2 })).toEqual([9])
    expect(asked).toHaveLength(5)
  })

  it('lets a search that ranks read no list of a word twice', async () => {
    const noise = Array.from({ length: 300 }, (_, index) => user(index % 2 === 0 ? 'Apple pie' : 'Pear cake'))
    const { asked, session } = watched(await sessionOf(noise))
    const { hits, terms } = await searchMessages(session, { query: 'Apple cake Zebra' }, { clock })
    expect(hits).toHaveLength(2)
    expect(terms?.map(({ count }) => count)).toEqual([100, 100, 0])
    const newest = asked.filter(({ where, order }) => where.length === 1 && order === 'newest')
    const lists = newest.map(({ where }) => JSON.stringify(where).toLowerCase())
    expect(new Set(lists).size).toBe(lists.length)
  })
})
