import { describe, expect, it } from 'vitest'
import { MAX_QUERY_CHARACTERS, MAX_TERMS, parseQuery } from '../../src/search/parse-query.ts'

const terms = (query: string) => parseQuery(query).map(({ kind, text }) => `${kind}:${text}`)

describe('parseQuery', () => {
  it('takes words of scripts with spaces as whole words', () => {
    expect(terms('deploy Größe привет λόγος snake_case 42')).toEqual([
      'word:deploy',
      'word:Größe',
      'word:привет',
      'word:λόγος',
      'word:snake_case',
      'word:42',
    ])
  })

  it('takes a star behind a word as its beginning, and anywhere else as itself', () => {
    expect(terms('deploy* a*b * src/*')).toEqual([
      'prefix:deploy',
      'substring:a*b',
      'substring:*',
      'substring:src/*',
    ])
  })

  it('takes quoted phrases, paths and scripts without spaces as they are', () => {
    expect(terms('"no such file" /etc/hosts v1.2 数据库 foo-bar')).toEqual([
      'substring:no such file',
      'substring:/etc/hosts',
      'substring:v1.2',
      'substring:数据库',
      'substring:foo-bar',
    ])
  })

  it.each([
    ['PostgreSQL 17, port?', ['word:PostgreSQL', 'word:17', 'word:port']],
    ["apple12. (apple12) 'apple12' [apple12], apple12!", ['word:apple12']],
    ['question: 12', ['word:question', 'word:12']],
    ['5" pipe "open', ['word:5', 'word:pipe', 'word:open']],
    [
      '(see "two words"), 数据库？ «foo*»',
      ['word:see', 'substring:two words', 'substring:数据库', 'prefix:foo'],
    ],
  ])('takes punctuation around a term off: %s', (query, expected) => {
    expect(terms(query)).toEqual(expected)
  })

  it('keeps what is a path, a flag, a glob, code, or nothing but punctuation', () => {
    for (const kept of [
      './src',
      '../a.ts',
      '.env',
      '/etc/hosts',
      '--flag',
      'src/*.ts',
      '{"path":"a"}',
      'a[0]',
    ])
      expect(terms(kept)).toEqual([`substring:${kept}`])
    expect(terms('`./src/app.ts`, error[E0502]: !=')).toEqual([
      'substring:./src/app.ts',
      'substring:error[E0502]',
      'substring:!=',
    ])
  })

  it('drops a term that says the same again', () => {
    expect(terms('Error error ERROR error*')).toEqual(['word:ERROR', 'prefix:error'])
  })

  it('refuses what is no question, and says what to do', () => {
    expect(() => parseQuery('  \n ')).toThrow(/query is empty; say what to search for/)
    expect(() => parseQuery('x'.repeat(MAX_QUERY_CHARACTERS + 1))).toThrow(/use at most 2000/)
    const many = Array.from({ length: MAX_TERMS + 1 }, (_, index) => `w${index}`).join(' ')
    expect(() => parseQuery(many)).toThrow(/query has 33 terms; use at most 32/)
  })
})
