import type { StoredSession } from '@palimpsest/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { searchMessages } from '../../src/search/search-messages.ts'
import type { MessageSearchQuery } from '../../src/search/search-types.ts'
import { memoryStore } from '../memory-store.ts'
import {
  assistant,
  clock,
  commit,
  entry,
  replaceFrom,
  START,
  sessionOf,
  summary,
  user,
} from './session-fixture.ts'

const search = (session: StoredSession, query: MessageSearchQuery) =>
  searchMessages(session, query, { clock })
const found = async (session: StoredSession, query: MessageSearchQuery) =>
  (await search(session, query)).hits.flatMap(({ matching }) => matching)

describe('mode text', () => {
  it('finds messages that hold all terms, newest first, upper and lower case alike', async () => {
    const session = await sessionOf([
      user('Deploy the API'),
      user('the api is down'),
      user('deploy failed: API'),
    ])
    expect(await found(session, { query: 'api DEPLOY', order: 'newest' })).toEqual([2, 0])
    expect(await found(session, { query: 'api deploy', order: 'oldest' })).toEqual([0, 2])
  })

  it('takes a word as a whole word, whatever the letters around it', async () => {
    const texts = [
      'cat',
      'concatenate',
      'cat_food',
      'écat',
      'cat\u0301',
      'CAT!',
      '(cat)',
      '𝒳cat',
      'cat2',
      '数cat',
    ]
    const session = await sessionOf(texts.map(user))
    const result = await search(session, { query: 'cat', order: 'oldest' })
    expect(result.hits.flatMap(({ matching }) => matching.map((seq) => texts[seq]))).toEqual([
      'cat',
      'CAT!',
      '(cat)',
    ])
    expect(result.matched).toBe('word')
  })

  it('finds beginnings, phrases, paths and CJK', async () => {
    const session = await sessionOf([
      user('connection refused by /srv/app.js'),
      user('数据库连接失败'),
      user('connect'),
    ])
    expect(await found(session, { query: 'connect*' })).toEqual([2, 0])
    expect(await found(session, { query: '"refused by"' })).toEqual([0])
    expect(await found(session, { query: '/srv/app' })).toEqual([0])
    expect(await found(session, { query: '连接' })).toEqual([1])
  })

  it('tries the terms as substrings when no message has them as words, and says so', async () => {
    const session = await sessionOf([user('getUserName()'), user('nothing')])
    const result = await search(session, { query: 'user', order: 'newest' })
    expect(result).toMatchObject({ matched: 'substring', complete: true, next: null })
    expect(result.hits.map(({ seq }) => seq)).toEqual([0])
  })

  it('goes on with substrings on the next page', async () => {
    const session = await sessionOf([user('xuserx'), user('yusery'), user('zuserz'), user('user name')])
    await replaceFrom(session, 3, [user('new')])
    const asked = { query: 'user', order: 'newest', limit: 2 } as const
    const first = await search(session, asked)
    expect(first).toMatchObject({ matched: 'substring', complete: false, next: 'm1~' })
    const second = await search(session, { ...asked, cursor: first.next ?? '' })
    expect(second.hits.map(({ seq }) => seq)).toEqual([0])
    expect(second).toMatchObject({ matched: 'substring', complete: true, next: null })
  })

  it('counts all occurrences and shows where the terms stand together', async () => {
    const text = `alpha ${'x '.repeat(300)}beta ${'y '.repeat(300)}alpha then beta. ${'z '.repeat(300)}`
    const [hit] = (await search(await sessionOf([user(text)]), { query: 'alpha beta' })).hits
    expect(hit?.matches).toBe(4)
    expect(hit?.passage[0]?.text).toContain('alpha then beta')
  })

  it('agrees with a plain definition over generated sessions, page by page, without duplicates or gaps', async () => {
    const words = ['red', 'Red', 'redbox', 'blue', 'blue_red', 'grün', '數', 'red數', '-', 'x1']
    const text = fc.array(fc.constantFrom(...words), { maxLength: 6 }).map((list) => list.join(' '))
    const query = fc.array(fc.constantFrom('red', 'BLUE', 'grün', 'x1', 'redbox', 'redb'), {
      minLength: 1,
      maxLength: 2,
    })
    const options = fc.record({
      order: fc.constantFrom('newest' as const, 'oldest' as const),
      limit: fc.integer({ min: 1, max: 3 }),
      first: fc.nat(3),
      length: fc.nat(30),
      role: fc.constantFrom(undefined, 'user', 'assistant'),
    })
    let pages = 0
    await fc.assert(
      fc.asyncProperty(
        fc.array(text, { minLength: 5, maxLength: 30 }),
        query,
        options,
        async (texts, terms, asked) => {
          const messages = texts.map((content, index) =>
            index % 3 === 0 ? assistant(content) : user(content),
          )
          const session = await sessionOf(messages)
          const { order, limit, first, length, role } = asked
          const range = { first, last: first + length }
          const eligible = messages
            .map((message, seq) => ({ seq, role: message.role, text: String(message.content) }))
            .filter(({ seq }) => seq >= range.first && seq <= range.last)
            .filter((message) => role === undefined || message.role === role)
          const wholeWords = (content: string): string[] =>
            content.toLowerCase().match(/[\p{L}\p{M}\p{N}\p{Co}_]+/gu) ?? []
          const asWords = eligible.filter((message) =>
            terms.every((term) => wholeWords(message.text).includes(term.toLowerCase())),
          )
          const asPrefixes = eligible.filter((message) =>
            terms.every((term) =>
              wholeWords(message.text).some((word) => word.startsWith(term.toLowerCase())),
            ),
          )
          const asSubstrings = eligible.filter((message) =>
            terms.every((term) => message.text.toLowerCase().includes(term.toLowerCase())),
          )
          const readings = [asWords, asPrefixes, asSubstrings]
          const expected = (readings.find(({ length }) => length > 0) ?? []).map(({ seq }) => seq)
          if (order === 'newest') expected.reverse()
          const all: number[] = []
          let cursor: string | undefined
          do {
            const filters = {
              ...range,
              order,
              limit,
              ...(role && { roles: [role] }),
              ...(cursor && { cursor }),
            }
            const page = await search(session, { query: terms.join(' '), ...filters })
            all.push(...page.hits.flatMap(({ matching }) => matching))
            expect(page.complete).toBe(page.next === null)
            cursor = page.next ?? undefined
            pages++
          } while (cursor !== undefined)
          expect(all).toEqual(expected)
        },
      ),
      { numRuns: 400 },
    )
    console.log(`${pages} pages`)
  })
})

describe('a query as people write it', () => {
  const facts = () =>
    sessionOf([
      user('the ledger database is PostgreSQL 17 on port 6543'),
      assistant('The staging host is green.example'),
      user('question 12 apple12'),
      user('the port of call'),
    ])

  it.each([
    ['PostgreSQL 17, port', 0, { matched: 'word' }],
    ['apple12?', 2, { matched: 'word' }],
    ['(apple12)', 2, { matched: 'word' }],
    ['question: 12', 2, { matched: 'word' }],
    ['ledger database and port', 0, { matched: 'word' }],
    ['PostgreSQL-17', 0, { order: 'relevance' }],
    ['where is the staging-host', 1, { order: 'relevance' }],
    ['databases', 0, { order: 'relevance' }],
  ])('finds %s', async (query, seq, reading) => {
    const result = await search(await facts(), { query })
    expect(result.hits[0]?.seq).toBe(seq)
    expect(result).toMatchObject({ complete: true, ...reading })
  })

  it('says which of the words occur nowhere', async () => {
    const result = await search(await facts(), { query: 'which quokka did we choose for the port' })
    expect(result).toMatchObject({ absent: ['quokka', 'choose'], complete: true })
  })
})

describe('the forms of a word', () => {
  it.each([
    ['adopt', 'we adopted a dog', 'an option'],
    ['painting class', 'the classes in which I painted', 'glass pains'],
    ['hoping', 'I hope so', 'a hop'],
    ['study', 'her studies', 'a stud'],
    ['Häusern', 'zwei kleine Häuser', 'ein Haushalt'],
    ['книга', 'мои книги', 'кнут'],
    ['chansons', 'une chanson', 'chance'],
  ])('%s is found in "%s"', async (query, form, other) => {
    const session = await sessionOf([other, form].map(user))
    for (const order of ['newest', 'relevance'] as const)
      expect(await found(session, { query, order })).toEqual([1])
    expect(await search(session, { query })).toMatchObject({ matched: 'word', complete: true })
  })

  it('come after the word itself, and before words that begin like it', async () => {
    const texts = ['the painting', 'x', 'y', 'we paint', 'x', 'y', 'a paintbrush']
    const session = await sessionOf(texts.map(user))
    expect(await found(session, { query: 'painting' })).toEqual([0, 3])
    expect(await found(session, { query: 'paintb' })).toEqual([6])
    expect(await search(session, { query: 'paintb' })).toMatchObject({ matched: 'prefix' })
  })

  it('are no forms of a phrase in quotation marks', async () => {
    const session = await sessionOf([user('he paints'), user('x'), user('y'), user('to paint')])
    expect(await found(session, { query: '"paint"' })).toEqual([3])
  })
})

describe('a passage', () => {
  it('holds a hit with what was said around it, and neighbours that match, once', async () => {
    const session = await sessionOf([
      user('x'.repeat(500)),
      assistant('Which animal do you want?'),
      user('I want to adopt a quokka.'),
      assistant('Good.'),
      user('The quokka is called Rosa.'),
      user('And that is all.'),
      ...Array.from({ length: 5 }, () => user('y'.repeat(500))),
      user('quokka'),
    ])
    const { hits } = await search(session, { query: 'quokka' })
    expect(hits.map(({ matching }) => matching.toSorted())).toEqual([[11], [2, 4]])
    expect(hits[1]?.passage.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6])
    expect(hits[1]?.passage.at(-1)?.text).toMatch(/^y{100,400}…$/)
    const [exact] = (await search(session, { query: 'Rosa', context: 1 })).hits
    expect(exact?.passage.map(({ seq }) => seq)).toEqual([3, 4, 5])
    const [alone] = (await search(session, { query: 'Rosa', context: 0 })).hits
    expect(alone?.passage).toMatchObject([{ seq: 4, role: 'user', text: 'The quokka is called Rosa.' }])
  })
})

describe('a question', () => {
  it('finds what answers it in other words of the same stem, the phrase itself first', async () => {
    const filler = Array.from({ length: 60 }, (_, index) => user(`Ana talked about day ${index}.`))
    const session = await sessionOf([
      ...filler,
      assistant('What did you look at, Ana?'),
      user('I am researching adoption agencies.'),
      ...filler.slice(0, 20),
      user('agencies that research adoption'),
    ])
    const [first, second] = (await search(session, { query: 'What adoption agencies did Ana research?' }))
      .hits
    expect(first?.matching).toContain(61)
    expect(second?.matching).toContain(82)
    expect((await search(session, { query: 'adoption agencies' })).hits[0]?.matching).toEqual([61])
  })
})

describe('mode substring', () => {
  it('takes the query as it is, spaces and quotation marks included', async () => {
    const session = await sessionOf([user('say "a  b" twice'), user('a b')])
    expect(await found(session, { query: '"A  b"', mode: 'substring' })).toEqual([0])
  })
})

describe('filters', () => {
  it('keeps to roles, numbers and times', async () => {
    const session = await sessionOf([
      user('x 0'),
      assistant('x 1'),
      user('x 2'),
      assistant('x 3'),
      user('x 4'),
    ])
    expect(await found(session, { query: 'x', roles: ['assistant'] })).toEqual([3, 1])
    expect(await found(session, { query: 'x', first: 1, last: 2 })).toEqual([2, 1])
    expect(await found(session, { query: 'x', since: START + 3000 })).toEqual([4, 3])
    expect(await found(session, { query: 'x', since: START + 1000, before: START + 3000 })).toEqual([2, 1])
    const none = await search(session, { query: 'x', before: START })
    expect(none).toMatchObject({ hits: [], complete: true, scanned: { messages: 5 } })
  })

  it('finds what was said at a time although a clock was set back in between', async () => {
    const session = await memoryStore().session({ key: 'chat' }, START)
    for (const [seq, at] of [5_000, 6_000, 1_000, 2_000].entries())
      await session.append({ nextSeq: seq, messages: [entry(user(`x ${seq}`))], at: START + at })
    expect(await found(session, { query: 'x', since: START + 5_000 })).toEqual([1, 0])
    expect(await found(session, { query: 'x', before: START + 1_500 })).toEqual([2])
  })

  it('does not say that something is not there while messages wait to be stored', async () => {
    const session = await sessionOf([user('x')])
    const context = { clock: { now: () => START }, unsaved: () => 3 }
    const result = await searchMessages(session, { query: 'needle' }, context)
    expect(result).toMatchObject({ hits: [], complete: false, next: null })
    expect(result.stopped).toContain('the newest 3 messages could not be stored yet')
  })

  it('names the summary of the frontier that covers a hit', async () => {
    const session = await sessionOf(Array.from({ length: 16 }, (_, at) => user(at % 5 === 0 ? 'x' : 'y')))
    await commit(
      session,
      [
        summary({ number: 1, first: 0, last: 7, text: 'a' }),
        summary({ number: 2, first: 8, last: 12, text: 'b' }),
      ],
      [1, 2],
    )
    const { hits } = await search(session, { query: 'x', order: 'oldest' })
    expect(hits.map((hit) => hit.summary)).toEqual([1, 1, 2, null])
  })

  it('refuses a cursor of something else', async () => {
    const session = await sessionOf([user('x')])
    await expect(search(session, { query: 'x', cursor: 's3' })).rejects.toThrow(/cursor must be the "next"/)
    await expect(search(session, { query: 'x', cursor: '__proto__' })).rejects.toThrow(/cursor must be/)
  })
})

describe('an earlier search', () => {
  const call = (query: string) => {
    const input = JSON.stringify({ query })
    return {
      ...assistant(''),
      tool_calls: [
        { id: query, type: 'function' as const, function: { name: 'lcm_grep', arguments: input } },
      ],
    }
  }

  it('is no hit for the same query, nor is a result that shows it', async () => {
    const query = 'which database did we choose'
    const text = `m1 assistant: lcm_grep ${JSON.stringify({ query })}`
    const session = await sessionOf([
      user('We choose Postgres as the database.'),
      call(query),
      { role: 'tool', tool_call_id: query, content: JSON.stringify({ hits: [{ ref: 'm1', text }] }) },
    ])
    expect(await found(session, { query })).toEqual([0])
  })

  it('is not confused with a result that holds the words of the query', async () => {
    const session = await sessionOf([
      call('STEP-103'),
      { role: 'tool', tool_call_id: 'run', content: 'STEP-103\n103000' },
      { role: 'tool', tool_call_id: 'compose', content: '$ docker compose up' },
    ])
    expect(await found(session, { query: 'STEP-103' })).toEqual([1])
    expect(await found(session, { query: 'docker compose up' })).toEqual([2])
  })
})
