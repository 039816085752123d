import { describe, expect, it } from 'vitest'
import { searchMessages } from '../../src/search/search-messages.ts'
import type { MessageSearchQuery } from '../../src/search/search-types.ts'
import type { LcmSession } from '../../src/store/lcm-session.ts'
import { clock, sessionOf, user } from './session-fixture.ts'

const search = (session: LcmSession, query: MessageSearchQuery) => searchMessages(session, query, { clock })
const found = async (session: LcmSession, query: MessageSearchQuery) =>
  (await search(session, query)).hits.map(({ seq }) => seq)

describe('mode regex', () => {
  const regex = (query: string, more: Partial<MessageSearchQuery> = {}): MessageSearchQuery => ({
    query,
    mode: 'regex',
    ...more,
  })

  it('matches line by line, upper and lower case alike unless told otherwise', async () => {
    const session = await sessionOf([user('first\nError: timeout after 30s\nlast'), user('no error')])
    expect(await found(session, regex('^error: (\\w+)'))).toEqual([0])
    expect(await found(session, regex('^error', { ignoreCase: false }))).toEqual([])
    expect((await search(session, regex('^error'))).hits[0]).toMatchObject({ line: 2, matches: 1 })
  })

  it('reads patterns that only compile without the u flag', async () => {
    const session = await sessionOf([user('a-b')])
    expect(await found(session, regex('a\\-b'))).toEqual([0])
  })

  it('counts matches in texts beyond the basic plane, empty ones too', async () => {
    const session = await sessionOf([user('😀😀')])
    expect((await search(session, regex('x*'))).hits[0]?.matches).toBe(3)
    expect((await search(session, regex('.'))).hits[0]?.matches).toBe(2)
  })

  it('looks at every message when nothing narrows the search', async () => {
    const session = await sessionOf(Array.from({ length: 300 }, (_, index) => user(`n${index}`)))
    const result = await search(session, regex('^n7$'))
    expect(result.hits.map(({ seq }) => seq)).toEqual([7])
    expect(result).toMatchObject({ complete: true, scanned: { messages: 300, from: 0, to: 299 } })
  })

  it('says what is wrong with a pattern', async () => {
    const session = await sessionOf([])
    await expect(search(session, regex('(unclosed'))).rejects.toThrow(
      /query is no regular expression.*mode "substring"/,
    )
  })

  it.each(['(a+)+$', '(a|aa)+$', '^(([a-z])+.)+[A-Z]([a-z])+$'])(
    'stops a pattern that would run for years: %s',
    async (pattern) => {
      const session = await sessionOf([user('old aaab'), user(`${'a'.repeat(60)}!`), user('new')])
      const result = await searchMessages(session, regex(pattern, { ignoreCase: false }), {
        clock,
      })
      expect(result).toMatchObject({ complete: false, next: null })
      expect(result.stopped).toContain('m1')
      expect(result.scanned).toEqual({ messages: 1, from: 2, to: 2 })
      const behind = await search(session, regex('aaab', { last: 0 }))
      expect(behind.complete).toBe(true)
    },
  )

  it('stops at its time limit and goes on from there', async () => {
    const session = await sessionOf(Array.from({ length: 200 }, (_, index) => user(`n${index}`)))
    let now = 0
    const hurried = { clock: { now: () => (now += 10) }, timeLimit: 5 }
    const first = await searchMessages(session, regex('^n7$'), hurried)
    expect(first).toMatchObject({ hits: [], complete: false })
    expect(first.stopped).toMatch(/time limit/)
    const pages = [first]
    for (let last = first; last.next !== null; pages.push(last)) {
      last = await searchMessages(session, regex('^n7$', { cursor: last.next }), hurried)
    }
    expect(pages.flatMap(({ hits }) => hits.map(({ seq }) => seq))).toEqual([7])
    expect(pages.reduce((sum, { scanned }) => sum + scanned.messages, 0)).toBe(200)
    expect(pages.length).toBeGreaterThan(1)
  })

  it('ends when it is aborted', async () => {
    const session = await sessionOf(Array.from({ length: 200 }, (_, index) => user(`n${index}`)))
    const controller = new AbortController()
    const searching = searchMessages(session, regex('^x$'), { clock, signal: controller.signal })
    controller.abort(new Error('enough'))
    await expect(searching).rejects.toThrow('enough')
  })
})
