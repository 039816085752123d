import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { oneLine } from '../../src/text/one-line.ts'
import { shorten, shortenMiddle } from '../../src/text/shorten.ts'

const anyText = fc.string({ unit: 'binary', maxLength: 200 })

describe('oneLine', () => {
  it('removes terminal codes, breaks and lone surrogates', () => {
    expect(oneLine(' a\r\n\tb\u2028\u0007c \u001b[1;31mred\u001b[0m \ud83d ')).toBe('a b c red \ufffd')
    expect(oneLine('😀 — äöü «x» 日本')).toBe('😀 — äöü «x» 日本')
  })

  it('gives one well-formed line, and the same the second time', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const line = oneLine(text)
        expect(line).not.toMatch(/[\n\r\u2028\u2029]/)
        expect(oneLine(line)).toBe(line)
        expect(() => encodeURIComponent(line)).not.toThrow()
      }),
    )
  })
})

describe('shorten', () => {
  it('cuts between words and marks the cut', () => {
    expect(shorten('one two three four', 15)).toBe('one two three…')
    expect(shorten('short', 10)).toBe('short')
    expect(shortenMiddle('the beginning of it and in the end the point', 24)).toBe('the beginning… point')
  })

  it('never cuts a path in two', () => {
    const text =
      'look at packages/(group)/src/orders/parse-order.ts and at packages/(group)/src/orders/index.ts'
    for (let chars = 1; chars < text.length; chars++) {
      for (const cut of [shorten(text, chars), shortenMiddle(text, chars)])
        for (const word of cut.split(/[ …]+/)) expect(` ${text} `).toContain(` ${word} `.replace('  ', ' '))
    }
    expect(shorten('日本語のとても長い文章です', 6)).toBe('日本語のと…')
  })

  it('is never longer than asked for and never splits a character', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', maxLength: 80 }),
        fc.integer({ min: 0, max: 60 }),
        (text, chars) => {
          for (const cut of [shorten(text, chars), shortenMiddle(text, Math.max(12, chars))])
            expect(() => encodeURIComponent(cut)).not.toThrow()
          expect(shorten(text, chars).length).toBeLessThanOrEqual(chars)
        },
      ),
    )
  })
})
