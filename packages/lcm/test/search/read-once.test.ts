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

  it('tells from the lists of words which rows have all of them, as far as the lists reach', async () => {
    const texts = Array.from({ length: 60 }, (_, index) =>
      user(`${index % 2 ? '' : 'two'} ${index % 3 ? '' : 'three'} ${index % 20 ? '' : 'twenty'}`),
    )
    const { asked, session } = watched(await sessionOf(texts))
    const read = readOnce((query) => session.candidates(query))
    for (const order of ['newest', 'oldest'] as const) {
      const seqs = async (limit: number, ...words: string[]) =>
        (await read({ where: words.flatMap(word), order, limit })).map(({ seq }) => seq)
      const plain = async (limit: number, ...words: string[]) =>
        (await session.candidates({ where: words.flatMap(word), order, limit })).map(({ seq }) => seq)
      for (const word of ['two', 'three']) await seqs(12, word)
      await seqs(12, 'twenty')
      let before = asked.length
      expect(await seqs(4, 'two', 'three')).toHaveLength(4)
      expect(asked).toHaveLength(before)
      expect(await seqs(4, 'two', 'three')).toEqual(await plain(4, 'two', 'three'))
      // The lists of both end before the fifth.
      before = asked.length
      const five = await seqs(5, 'two', 'three')
      expect(asked).toHaveLength(before + 1)
      expect(five).toEqual(await plain(5, 'two', 'three'))
      expect(await seqs(5, 'three', 'twenty')).toEqual(await plain(5, 'three', 'twenty'))
      await seqs(99, 'two')
      before = asked.length
      expect(await seqs(9, 'two', 'twenty')).toEqual(order === 'newest' ? [40, 20, 0] : [0, 20, 40])
      expect(asked).toHaveLength(before)
    }
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
