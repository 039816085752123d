import fc from 'fast-check'
import { expect, it } from 'vitest'
import { ENGLISH } from '../../src/extract/lexicon/english.ts'
import { CUES } from '../../src/extract/lexicon/lexicon.ts'
import { scan } from '../../src/extract/scan.ts'
import { findTechnologies } from '../../src/slots/find-technologies.ts'
import { findSlotWords } from '../../src/slots/slot-lookup.ts'
import { SLOTS } from '../../src/slots/slot-table.ts'
import { listed, technologies } from '../../src/slots/technologies.ts'

const signs = (shape: string): string =>
  scan(shape, ENGLISH)
    .map(({ sign, text }) => `${sign}:${text}`)
    .join(' | ')

it.each([
  ['a phrase of several words', 'we go with it', 's:we | U:go with | y:it'],
  ['the beginning of a phrase without its end', 'go there', 'E:go | y:there'],
  ['a phrase over two blanks', 'instead  of it', 'o:instead  of | y:it'],
  ['a phrase of marks within a word', 'a=>b', 'd:a | j:=> | x:b'],
  ['a number with a unit behind a blank', 'wait 10 ms.', 'f:wait | Q:10 ms | .:.'],
  ['a number that is spelled', 'five minutes', 'Q:five minutes'],
  ['a technology of two words', 'ruby on rails', 'T:ruby on rails'],
  ['a path, and a name', 'src/a.ts fooBar', '/:src/a.ts | I:fooBar'],
])('reads %s', (_, shape, expected) => {
  expect(signs(shape)).toBe(expected)
})

const words = [
  ...Object.keys(CUES).flatMap((cue) => listed(ENGLISH[cue as keyof typeof CUES] ?? '')),
  ...technologies().keys(),
  ...SLOTS.flatMap(({ words = '' }) => listed(words)),
  ...['it', 'thing', 'fooBar', 'src/a.ts', '10', 'ms', 'é', '日本語', '(', '"', '->', "node's", 'x-y'],
]
const word = fc
  .constantFrom(...words)
  .chain((each) => fc.constantFrom(each, each, each.toUpperCase(), `${each},`, `${each}s`))
const sentence = fc
  .array(fc.tuple(word, fc.constantFrom(' ', ' ', ' ', '  ', '')), { minLength: 1, maxLength: 20 })
  .map((parts) => parts.flat().join('').slice(0, 400))

it('has a token for each character that is no blank, whatever was read before', () => {
  fc.assert(
    fc.property(sentence, fc.array(sentence, { maxLength: 3 }), (shape, others) => {
      const first = scan(shape, ENGLISH)
      let end = 0
      for (const token of first) {
        expect(shape.slice(end, token.start).trim()).toBe('')
        expect(token.text).toBe(shape.slice(token.start, token.end))
        end = token.end
      }
      expect(shape.slice(end).trim()).toBe('')
      // The words are known by now, and the sentence is not.
      for (const other of others) scan(other, ENGLISH)
      expect(scan(` ${shape}`, ENGLISH).map(({ sign, text }) => ({ sign, text }))).toEqual(
        first.map(({ sign, text }) => ({ sign, text })),
      )
    }),
    { numRuns: 500 },
  )
})

it('finds the same names where tabs stand for blanks, which make other runs', () => {
  let found = 0
  fc.assert(
    fc.property(sentence, (shape) => {
      const tabbed = shape.replaceAll(' ', '\t')
      const technologiesOf = findTechnologies(shape)
      expect(findTechnologies(tabbed)).toEqual(technologiesOf)
      expect(findSlotWords(tabbed)).toEqual(findSlotWords(shape))
      found += technologiesOf.length
    }),
    { numRuns: 1_000 },
  )
  expect(found).toBeGreaterThan(500)
})
