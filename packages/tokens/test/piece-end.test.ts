import fc from 'fast-check'
import { O200K_TOKEN_SPLIT_REGEX } from 'gpt-tokenizer/encodingParams/constants'
import { expect, it } from 'vitest'
import { pieceEnd } from '../src/piece-end.ts'

const part = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.constantFrom(
      ...' \t\n\r/\'"=.{0az9AZ',
      "'s",
      "'LL",
      "'re",
      '  ',
      '123',
      'word',
      'CAPS',
      '\v\0\x1c',
    ),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      'é',
      'ß',
      '日',
      '\u00a0',
      '\u2028',
      '…',
      '²',
      'ǅ',
      '😀',
      '\ud800',
      '\u0301',
      'ſ',
      '١',
    ),
  },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 3 }) },
)

it('cuts a text where the expression of the encoding does', () => {
  let pieces = 0
  fc.assert(
    fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
      const text = parts.join('')
      const cut: string[] = []
      for (let start = 0; start < text.length; start += cut.at(-1)?.length ?? 0)
        cut.push(text.slice(start, pieceEnd(text, start)))
      expect(cut).toEqual(text.match(O200K_TOKEN_SPLIT_REGEX) ?? [])
      pieces += cut.length
    }),
    { numRuns: 3_000 },
  )
  console.log(`${pieces} pieces end where the expression ends them`)
})
