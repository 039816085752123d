import { describe, expect, it } from 'vitest'
import { questionTerms } from '../../src/search/question-terms.ts'
import { rankPassages } from '../../src/search/rank-passages.ts'
import { PASSAGE_CHARACTERS, splitPassages } from '../../src/search/weigh-messages.ts'
import type { LcmSession } from '../../src/store/lcm-session.ts'
import { assistant, sessionOf, user } from './session-fixture.ts'

const terms = (question: string) => questionTerms(question).map(({ kind, text }) => `${kind}:${text}`)

describe('questionTerms', () => {
  it('keeps what the question is about', () => {
    expect(terms('Which database did we choose for the billing service?')).toEqual([
      'prefix:database',
      'prefix:choose',
      'prefix:bill',
      'prefix:service',
    ])
  })

  it('keeps paths and names, and takes CJK in pairs of characters', () => {
    expect(terms('What is in `src/app.ts`?')).toEqual(['substring:src/app.ts'])
    expect(terms('数据库在哪')).toEqual([
      'substring:数据',
      'substring:据库',
      'substring:库在',
      'substring:在哪',
    ])
  })

  it('uses common words when there are no others', () => {
    expect(terms('who was it?')).toEqual(['word:who', 'word:was', 'word:it'])
    expect(terms('?!')).toEqual([])
  })
})

describe('splitPassages', () => {
  it('covers a text without gaps, in bounded pieces that split no character', () => {
    for (const text of ['', 'short', 'a b '.repeat(900), '😀'.repeat(2_000), `${'x'.repeat(3_000)}\nend`]) {
      const passages = splitPassages(text).map(({ start, end }) => text.slice(start, end))
      expect(passages.join('')).toBe(text)
      expect(passages.every((part) => part.length <= PASSAGE_CHARACTERS && part.isWellFormed())).toBe(true)
    }
  })
})

describe('rankPassages', () => {
  const rank = async (session: LcmSession, question: string, ranges?: { first: number; last: number }[]) => {
    const { nextSeq } = await session.head()
    return rankPassages(session, question, { ranges: ranges ?? [{ first: 0, last: nextSeq - 1 }], limit: 3 })
  }

  it('finds the one message with the rare words among many with the common ones', async () => {
    const noise = Array.from({ length: 400 }, (_, index) =>
      user(`the server of team ${index} restarted the service`),
    )
    const session = await sessionOf([
      ...noise.slice(0, 37),
      user('the billing server listens on port 7341'),
      ...noise,
    ])
    const { passages } = await rank(session, 'On which port does the billing server listen?')
    expect(passages[0]?.seq).toBe(37)
  })

  it('finds two common words that stand together only in an old message', async () => {
    const noise = Array.from({ length: 300 }, (_, index) => user(index % 2 === 0 ? 'apple pie' : 'pear cake'))
    const session = await sessionOf([...noise.slice(0, 100), user('apple cake'), ...noise])
    expect((await rank(session, 'apple cake')).passages[0]?.seq).toBe(100)
  })

  it('shows the part of a long message that matters, and no more than two parts of one', async () => {
    const filler = 'nothing to see here. '.repeat(300)
    const session = await sessionOf([
      user(`${filler}The vault code is 4711. ${filler}`),
      user('vault '.repeat(2_000)),
    ])
    const { passages } = await rank(session, 'What is the vault code?')
    expect(passages[0]?.text).toContain('4711')
    expect(passages.filter(({ seq }) => seq === 1).length).toBeLessThanOrEqual(2)
  })

  it('puts the word itself before others that begin like it', async () => {
    const session = await sessionOf(Array.from({ length: 150 }, (_, index) => user(`apple${index} is here`)))
    expect((await rank(session, 'apple1')).passages[0]?.text).toBe('apple1 is here')
    const long = await sessionOf(Array.from({ length: 1_500 }, (_, index) => user(`apple${1_499 - index} x`)))
    expect((await rank(long, 'where is apple1?')).passages[0]?.text).toBe('apple1 x')
  })

  it('shows the part of a huge result in which the rare word stands', async () => {
    const lines = Array.from({ length: 40_000 }, (_, index) =>
      index === 31_234 ? 'line 31235 NEEDLE=blue42' : `line ${index + 1} of the log`,
    )
    const session = await sessionOf([user('hello'), user(lines.join('\n'))])
    expect((await rank(session, 'Which line has the needle?')).passages[0]?.text).toContain('NEEDLE=blue42')
  })

  it('finds joined words that were written apart', async () => {
    const session = await sessionOf([user('The staging host is green'), user('nothing')])
    expect((await rank(session, 'what is the staging-host?')).passages[0]?.seq).toBe(0)
  })

  it('does not take an earlier call with the same question for an answer', async () => {
    const question = 'What is the vault code of Berlin?'
    const session = await sessionOf([
      user('In Berlin the vault has the code 4711'),
      assistant(`lcm_expand_query {"question":"${question}"}`),
    ])
    expect((await rank(session, question)).passages.map(({ seq }) => seq)).toEqual([0])
  })

  it('keeps to the ranges that it is given', async () => {
    const session = await sessionOf([user('vault 1'), user('vault 2'), user('vault 3')])
    expect((await rank(session, 'vault', [{ first: 1, last: 1 }])).passages.map(({ seq }) => seq)).toEqual([
      1,
    ])
    expect(await rank(session, 'vault', [{ first: 9, last: 3 }])).toMatchObject({
      passages: [],
      candidates: 0,
    })
  })

  it('gives the same answer each time', async () => {
    const session = await sessionOf(Array.from({ length: 80 }, (_, index) => user(`alpha beta ${index % 7}`)))
    expect(await rank(session, 'alpha beta 3')).toEqual(await rank(session, 'alpha beta 3'))
  })

  it('looks a common word up as a word, whatever its ending, and only a rare one by how it begins', async () => {
    const session = await sessionOf([
      ...Array.from({ length: 300 }, (_, index) => user(`worker ${index}`)),
      user('the worker migrated it'),
    ])
    const prefixes = new Set<string>()
    const watched: LcmSession = {
      ...session,
      candidates(query) {
        for (const { kind, text } of query.where.flat()) if (kind === 'prefix') prefixes.add(text)
        return session.candidates(query)
      },
    }
    const { passages } = await rank(watched, 'which workers are migrating?')
    expect([...prefixes]).toEqual(['migrat'])
    expect(passages[0]?.text).toBe('the worker migrated it')
  })

  it('refuses a question without a word', async () => {
    await expect(rank(await sessionOf([user('a')]), '???')).rejects.toThrow(
      'there is no word in the question',
    )
  })
})
