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

  it('takes a quotation mark without a partner, or inside a word, as a character', () => {
    expect(terms('5" pipe')).toEqual(['substring:5"', 'word:pipe'])
    expect(terms('{"path":"a"}')).toEqual(['substring:{"path":"a"}'])
    expect(terms('"open end')).toEqual(['substring:"open', 'word:end'])
  })

  it('drops a term that says the same again', () => {
    expect(terms('Error error ERROR error*')).toEqual(['word:ERROR', 'prefix:error'])
  })

  it('replaces what no store can hold, so that it matches what is stored instead', () => {
    expect(terms('a\ud800b \0')).toEqual(['substring:a\ufffdb', 'substring:\ufffd'])
  })

  it('refuses what is no question, and says what to do', () => {
    expect(() => parseQuery('  \n ')).toThrow(/query is empty; say what to search for/)
    expect(() => parseQuery('x'.repeat(MAX_QUERY_CHARACTERS + 1))).toThrow(/use at most 2000/)
    const many = Array.from({ length: MAX_TERMS + 1 }, (_, index) => `w${index}`).join(' ')
    expect(() => parseQuery(many)).toThrow(/query has 33 terms; use at most 32/)
  })
})
