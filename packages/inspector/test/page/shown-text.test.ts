import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cutText, foldText, maxPieces } from '../../web/src/ui/text-pieces.ts'
import { searchPattern } from '../../web/src/ui/use-message-search.ts'

/** Any text, with what is invisible more often than chance would bring it. */
const texts = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('\u202e', '\u200b', '\r', '\r\n', '\u001b[0m', 'word '),
    ),
  )
  .map((parts) => parts.join(''))

describe('a text on the page', () => {
  it('is cut into pieces that are together exactly the text', () => {
    fc.assert(
      fc.property(texts, fc.string(), (text, query) => {
        const { pieces, end } = cutText(text, 0, text.length, searchPattern(query))
        expect(pieces.map((piece) => piece.text).join('')).toBe(text.slice(0, end))
        expect(end).toBe(text.length)
      }),
    )
  })

  it('is folded around the place that is looked for, between whole characters', () => {
    const long = fc.array(texts, { minLength: 20, maxLength: 60 }).map((parts) => parts.join('\n😀'))
    fc.assert(
      fc.property(long, fc.double({ min: 0, max: 1, noNaN: true }), (text, share) => {
        const at = Math.floor(share * Math.max(0, text.length - 1))
        const { from, to } = foldText(text, at)
        expect(from).toBeLessThanOrEqual(at)
        expect(to === text.length || to > at).toBe(true)
        for (const edge of [from, to]) expect(isInsidePair(text, edge)).toBe(false)
      }),
    )
  })

  it('shows a hostile one only as far as a page can bear', () => {
    const text = 'a\u001b'.repeat(50_000)
    const { pieces, end } = cutText(text, 0, text.length, null)
    expect(pieces.length).toBeLessThanOrEqual(maxPieces + 1)
    expect(end).toBeLessThan(text.length)
  })
})

function isInsidePair(text: string, at: number): boolean {
  return /^[\ud800-\udbff][\udc00-\udfff]$/.test(text.slice(at - 1, at + 1)) && at > 0
}
