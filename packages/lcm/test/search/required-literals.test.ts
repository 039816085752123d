import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { requiredLiterals } from '../../src/search/required-literals.ts'

const literals = (pattern: RegExp) => requiredLiterals(pattern).map((texts) => texts.map(({ text }) => text))

describe('requiredLiterals', () => {
  it.each<[RegExp, string[][]]>([
    [/foobar/u, [['foobar']]],
    [/error: (timeout|refused)/u, [['error: timeout', 'error: refused']]],
    [/foo.*barbaz/u, [['barbaz'], ['foo']]],
    [/(?:abc)+def/u, [['abc'], ['def']]],
    [/abc{2}d/u, [['abccd']]],
    [/(?<=foo)bar(?!baz)/u, [['bar']]],
    [/gr[ae]y/u, [['gray', 'grey']]],
    [/foo\bbar/u, [['foobar']]],
    [/abc(?:x|yz)?def/u, [['abc'], ['def']]],
    [/数据库连接/u, [['数据库连接']]],
  ])('%s needs %j', (pattern, expected) => {
    expect(literals(pattern)).toEqual(expected)
  })

  it.each([
    [/fo|foobar/u, 'one alternative is too short'],
    [/a*b?c/u, 'nothing long enough is certain'],
    [/[^a]bc/u, 'a class that excludes'],
    [/(?:foobar)?/u, 'an optional group'],
    [/(?!foobar)/u, 'a negation'],
    [/Größe/iu, 'stores fold ß in their own ways, and what is left is too short'],
    [/(foo)?\1/u, 'a reference to what may be empty'],
    [/(?:)/u, 'nothing'],
  ])('%s needs nothing: %s', (pattern) => {
    expect(literals(pattern)).toEqual([])
  })

  it('ends for nested repetitions', () => {
    expect(
      literals(/((((((a{8}){8}){8}){8}){8}){8}){8}/u)
        .flat()
        .every((text) => text.length <= 64),
    ).toBe(true)
    const deep = new RegExp(`${'(?:'.repeat(600)}abc${')'.repeat(600)}`)
    expect([[['abc']], []]).toContainEqual(literals(deep))
  })

  it('never excludes a text that matches', () => {
    let checked = 0
    fc.assert(
      fc.property(
        patterns,
        fc.constantFrom('m', 'mi', 'mu', 'miu'),
        fc.array(texts, { size: 'large' }),
        (source, flags, list) => {
          const regex = compile(source, flags)
          const clauses = regex === undefined ? [] : requiredLiterals(regex)
          if (clauses.length === 0) return
          for (const text of list) {
            if (!regex?.test(text)) continue
            checked++
            expect(clauses.every((terms) => terms.some((term) => contains(text, term.text)))).toBe(true)
          }
        },
      ),
      { numRuns: 8_000 },
    )
    console.log(`${checked} matches of patterns that narrow the search`)
    expect(checked).toBeGreaterThan(2_000)
  })
})

const atoms = fc.constantFrom(
  ...[
    'abc',
    'abc',
    'abc',
    'kiss',
    'kiss',
    '数据库',
    'a',
    'b',
    'ß',
    'ſ',
    'İ',
    'K',
    '😀',
    '\\u{1F600}',
    '\\n',
    '\\x41',
    '\\1',
  ],
  ...['.', '\\w', '\\s', '\\b', '^', '$', '[ab]', '[^a]', '[a-c]', '[kK]', '\\p{L}', '.*'],
)
const quantifiers = fc.constantFrom('', '', '', '', '?', '*', '+', '{2}', '{1,3}', '{0,2}', '+?')
const quantified = fc.tuple(atoms, quantifiers).map(([atom, quantifier]) => atom + quantifier)
const sequences = fc.array(quantified, { minLength: 1, maxLength: 3 }).map((items) => items.join(''))
const groups = fc
  .tuple(fc.constantFrom('(', '(?:', '(?=', '(?!', '(?<=', '(?<!'), sequences, sequences, quantifiers)
  .map(([open, a, b, quantifier]) => `${open}${a}|${b})${quantifier}`)
const patterns = fc
  .array(fc.oneof(sequences, groups, fc.constant('|')), { minLength: 1, maxLength: 4 })
  .map((p) => p.join(''))
const texts = fc
  .array(
    fc.constantFrom(
      'abc',
      'ABC',
      'kiss',
      'KISS',
      'K',
      'ſ',
      '数据库',
      'a',
      'b',
      'A',
      'ß',
      'i̇',
      '😀',
      '\n',
      ' ',
    ),
    { maxLength: 6 },
  )
  .map((parts) => parts.join(''))

/** Not every generated pattern is one. */
function compile(source: string, flags: string): RegExp | undefined {
  try {
    return new RegExp(source, flags)
  } catch {
    return undefined
  }
}

/** Upper and lower case alike, by Unicode's simple case folding: what a store promises at least. */
function contains(text: string, wanted: string): boolean {
  return new RegExp(wanted.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'), 'iu').test(text)
}
