import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createNameFinder } from '../../src/kept/kept-in.ts'
import { indexOfName } from '../../src/recall/whole-word.ts'

describe('finding names', () => {
  it('takes a name for seen where no letter, digit or underscore stands on either side', () => {
    const names = ['AshSqlite', 'src/a.ts', '/work', '50%', 'read_me']
    const seen = (text: string): string[] => [...createNameFinder(names, [text]).find(text)]
    expect(seen('AshSqlite.DataLayer in /work/src/a.ts, 50%, 文件read_me文件')).toEqual([
      'AshSqlite',
      '/work',
      'src/a.ts',
      '50%',
      'read_me',
    ])
    expect(
      seen('AshSqlite2 MyAshSqlite src/a.tsx xsrc/a.ts re/work /workers 150% read_me_too éread_me'),
    ).toEqual([])
  })

  it('finds what a search for each name would, whatever the words are rare in', () => {
    const part = fc.constantFrom('a', 'b1', 'a_b', '.', '/', ' ', '-', 'é', '文', '😀')
    const text = fc.array(part, { maxLength: 30 }).map((parts) => parts.join(''))
    const name = fc.constantFrom('a', 'a.b1', 'a/a', 'b1', '/a', 'a_b', 'b1-a', './a', 'a.')
    fc.assert(
      fc.property(fc.array(name), text, text, (names, inText, corpus) => {
        const expected = [...new Set(names)].filter((each) => indexOfName(inText, each) >= 0)
        expect(createNameFinder(names, [corpus]).find(inText)).toEqual(new Set(expected))
      }),
      { numRuns: 500 },
    )
  })
})
