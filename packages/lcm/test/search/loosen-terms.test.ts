import { describe, expect, it } from 'vitest'
import { searchMessages } from '../../src/search/search-messages.ts'
import type { MessageSearchQuery } from '../../src/search/search-types.ts'
import type { LcmSession } from '../../src/store/lcm-session.ts'
import { assistant, clock, sessionOf, user } from './session-fixture.ts'

const search = (session: LcmSession, query: MessageSearchQuery) => searchMessages(session, query, { clock })

describe('a query as people write it', () => {
  const facts = () =>
    sessionOf([
      user('the ledger database is PostgreSQL 17 on port 6543'),
      assistant('The staging host is green.example'),
      user('question 12 apple12'),
      user('the port of call'),
    ])

  it.each([
    ['database and port', 0, { matched: 'word', ignored: ['and'] }],
    ['PostgreSQL 17, port', 0, { matched: 'word' }],
    ['PostgreSQL-17', 0, { matched: 'word', split: ['PostgreSQL-17'] }],
    ['staging-host', 1, { matched: 'word', split: ['staging-host'] }],
    [
      'where is the staging-hos',
      1,
      { matched: 'substring', ignored: ['where', 'is', 'the'], split: ['staging-hos'] },
    ],
    ['apple12?', 2, { matched: 'word' }],
    ['apple12.', 2, { matched: 'word' }],
    ['(apple12)', 2, { matched: 'word' }],
    ['question: 12', 2, { matched: 'word' }],
    ['database - port', 0, { matched: 'word', ignored: ['-'] }],
  ])('finds %s', async (query, seq, reading) => {
    const result = await search(await facts(), { query })
    expect(result.hits.map((hit) => hit.seq)).toEqual([seq])
    expect(result).toMatchObject({ complete: true, ...reading })
    for (const field of ['ignored', 'split', 'terms'] as const)
      if (!(field in reading)) expect(result).not.toHaveProperty(field)
  })

  it('takes a joined word as it is where it stands so', async () => {
    const session = await sessionOf([user('the host for staging'), user('set staging-host now')])
    expect(await search(session, { query: 'staging-host' })).toMatchObject({
      hits: [{ seq: 1 }],
      matched: 'substring',
    })
  })

  it('keeps filler words where a message has them', async () => {
    const session = await sessionOf([user('to be or not to be'), user('be quick')])
    expect(await search(session, { query: 'to be' })).toMatchObject({ hits: [{ seq: 0 }] })
  })

  it('says where each word stands when no message has all of them', async () => {
    const result = await search(await facts(), { query: 'which database did we choose for the port' })
    expect(result).toMatchObject({ order: 'relevance', complete: true, next: null })
    expect(result.hits[0]?.terms).toEqual(['database', 'port'])
    expect(result.terms).toEqual([
      { term: 'database', count: 1, isAtLeast: false },
      { term: 'choose', count: 0, isAtLeast: false },
      { term: 'port', count: 2, isAtLeast: false },
    ])
    expect(result).not.toHaveProperty('ignored')
  })

  it('counts no more than a hundred messages, only in the range, and parts of words when there are no whole ones', async () => {
    const session = await sessionOf(Array.from({ length: 150 }, (_, index) => user(`note notebook${index}`)))
    expect((await search(session, { query: 'note zebra book' })).terms).toEqual([
      { term: 'note', count: 100, isAtLeast: true },
      { term: 'zebra', count: 0, isAtLeast: false },
      { term: 'book', count: 100, isAtLeast: true },
    ])
    const range = { first: 3, last: 9, roles: ['user'] }
    expect((await search(session, { query: 'note zebra', ...range })).terms?.[0]?.count).toBe(7)
    expect(await search(session, { query: 'zebra' })).not.toHaveProperty('terms')
  })

  it('goes on with the same reading on the next page', async () => {
    const session = await sessionOf([user('host staging 1'), user('x'), user('staging host 2'), user('host')])
    const first = await search(session, { query: 'the staging-host', limit: 1 })
    expect(first).toMatchObject({ hits: [{ seq: 2 }], next: 'm2+', ignored: ['the'] })
    const second = await search(session, { query: 'the staging-host', limit: 1, cursor: 'm2+' })
    expect(second).toMatchObject({ hits: [{ seq: 0 }], next: null, complete: true })
  })

  it('survives a query that has too many words to take apart', async () => {
    const query = Array.from({ length: 400 }, (_, index) => index).join('-')
    expect(await search(await facts(), { query })).toMatchObject({ hits: [], complete: true })
  })
})
