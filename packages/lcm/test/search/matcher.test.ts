import type { StoredSession } from '@palimpsest/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createRegexMatcher } from '../../src/search/matcher.ts'
import { searchMessages } from '../../src/search/search-messages.ts'
import type { MessageSearchQuery } from '../../src/search/search-types.ts'
import { clock, sessionOf, user } from './session-fixture.ts'

const search = (session: StoredSession, query: MessageSearchQuery) =>
  searchMessages(session, query, { clock })
const found = async (texts: readonly string[], query: MessageSearchQuery) =>
  (await search(await sessionOf(texts.map(user)), query)).hits.flatMap(({ matching }) => matching)

describe('the place that a hit shows', () => {
  it('is that of the rarest term in a long text, where most others stand beside it', async () => {
    const lines = Array.from({ length: 40_000 }, (_, index) =>
      index === 31_234 ? 'line 31235 NEEDLE=blue42' : `line ${index + 1} of the log`,
    )
    const session = await sessionOf([
      { role: 'tool', tool_call_id: 'c', content: lines.join('\n') },
      user(`red ${'y '.repeat(300)}green red ${'y '.repeat(300)}blue red green ${'y '.repeat(300)}green`),
    ])
    const [log] = (await search(session, { query: 'needle log line', order: 'newest' })).hits
    expect(log).toMatchObject({ line: 31_235, matches: 1_000 })
    expect(log?.passage[0]?.text).toContain('NEEDLE=blue42')
    for (const order of ['newest', 'relevance'] as const) {
      const [colours] = (await search(session, { query: 'red green blue', order })).hits
      expect(colours?.passage.at(-1)?.text).toContain('blue red green')
    }
  })
})

describe('a quoted phrase', () => {
  it.each([
    ['"auto"', 'colour: auto;', 'autocomplete'],
    ['"message_refs"', 'the message_refs table', 'add_message_refs_and_source'],
    ['"/them"', 'open /them now', 'open /themes now'],
    ['"/projects"', 'GET /projects', '/home/me/projects'],
    ['"数据库"', '这里有数据库连接', 'x'],
    ['"=5;"', 'a=5;b', 'x'],
  ])('%s is found between words, and not in a longer one', async (query, whole, part) => {
    expect(await found([whole, part], { query })).toEqual([0])
  })

  it('is found inside of words when it stands nowhere else', async () => {
    expect(await found(['autocomplete', 'nothing'], { query: '"auto"' })).toEqual([0])
  })
})

describe('mode regex', () => {
  const regex = (query: string, more: Partial<MessageSearchQuery> = {}): MessageSearchQuery => ({
    query,
    mode: 'regex',
    ...more,
  })

  it('matches line by line, and respects upper and lower case unless told otherwise', async () => {
    const session = await sessionOf([user('first\nError: timeout after 30s\nlast'), user('no error')])
    expect((await search(session, regex('^error'))).hits).toEqual([])
    expect((await search(session, regex('^error: (\\w+)', { ignoreCase: true }))).hits).toMatchObject([
      { line: 2, matches: 1 },
    ])
  })

  it.each([
    ['a\\-b', 'a-b', 1],
    ['x*', '😀😀', 3],
    ['.', '😀😀', 2],
  ])('counts the matches of %s', async (query, text, matches) => {
    expect((await search(await sessionOf([user(text)]), regex(query))).hits).toMatchObject([{ matches }])
  })

  it('looks at every message when nothing narrows the search', async () => {
    const session = await sessionOf(Array.from({ length: 300 }, (_, index) => user(`n${index}`)))
    expect(await search(session, regex('^n7$'))).toMatchObject({
      hits: [{ seq: 7 }],
      complete: true,
      scanned: { messages: 300, from: 0, to: 299 },
    })
  })

  it('says what is wrong with a pattern', async () => {
    const wrong = search(await sessionOf([]), regex('(unclosed'))
    await expect(wrong).rejects.toThrow(/query is not a regular expression.*mode "substring"/)
  })

  it.each(['(a+)+$', '(a|aa)+$', '^(([a-z])+.)+[A-Z]([a-z])+$'])(
    'stops a pattern that would run for years: %s',
    async (pattern) => {
      const session = await sessionOf([user('old aaab'), user(`${'a'.repeat(60)}!`), user('new')])
      const result = await search(session, regex(pattern, { ignoreCase: false }))
      expect(result).toMatchObject({ complete: false, next: null })
      expect(result.stopped).toContain('m1')
      expect(result.scanned).toEqual({ messages: 1, from: 2, to: 2 })
    },
  )

  it('stops at its time limit and goes on from there', async () => {
    const session = await sessionOf(Array.from({ length: 200 }, (_, index) => user(`n${index}`)))
    let now = 0
    const hurried = { clock: { now: () => (now += 10) }, timeLimit: 5 }
    const pages = [await searchMessages(session, regex('^n7$'), hurried)]
    expect(pages[0]).toMatchObject({
      hits: [],
      complete: false,
      stopped: expect.stringMatching(/time limit/),
    })
    for (let cursor = pages[0]?.next; typeof cursor === 'string'; cursor = pages.at(-1)?.next)
      pages.push(await searchMessages(session, regex('^n7$', { cursor }), hurried))
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

describe('the texts that a pattern needs', () => {
  const needed = (source: string, ignoreCase = true) => createRegexMatcher(source, ignoreCase).where

  it.each([
    ['foobar', ['foobar']],
    ['foo.*barbaz', ['barbaz']],
    ['foo|barbaz', ['foo', 'barbaz']],
    ['foo\\bbar', ['foobar']],
    ['数据库连接', ['数据库连接']],
    ['fo|foobar', null],
    ['(?:foobar)?', null],
    ['(?!foobar)', null],
    ['Größe', null],
    ['(?:)', null],
  ])('%s needs %j', (pattern, texts) => {
    expect(needed(pattern)).toEqual(
      texts === null ? [] : [texts.map((text) => ({ kind: 'substring', text }))],
    )
  })

  it('never exclude a text that matches', () => {
    const parts = fc.constantFrom(
      ...[
        'abc',
        'kiss',
        '数据库',
        'ß',
        'ſ',
        'K',
        '😀',
        '\\n',
        '\\x41',
        '.',
        '\\w',
        '\\b',
        '^',
        '[ab]',
        '[kK]',
      ],
      ...['|', 'abc?', 'kiss+', '(abc|b)', '(?=abc)', '(?<!b)', 'a{2}'],
    )
    const patterns = fc.array(parts, { minLength: 1, maxLength: 4 }).map((list) => list.join(''))
    const words = fc.constantFrom(
      'abc',
      'ABC',
      'kiss',
      'KISS',
      'K',
      'ſ',
      '数据库',
      'a',
      'b',
      'ß',
      '😀',
      '\n',
      ' ',
    )
    const texts = fc.array(words, { maxLength: 6 }).map((list) => list.join(''))
    let checked = 0
    fc.assert(
      fc.property(patterns, fc.boolean(), fc.array(texts, { size: 'large' }), (source, ignoreCase, list) => {
        const { where, run } = createRegexMatcher(source, ignoreCase)
        const { matches } = run(list, Number.POSITIVE_INFINITY)
        for (const [index, match] of matches.entries()) {
          if (match === null || where.length === 0) continue
          checked++
          const holds = ({ text }: { text: string }) => new RegExp(text, 'iu').test(list[index] ?? '')
          expect(where.every((terms) => terms.some(holds))).toBe(true)
        }
      }),
      { numRuns: 1_500 },
    )
    console.log(`${checked} matches of patterns that narrow the search`)
    expect(checked).toBeGreaterThan(500)
  })
})
