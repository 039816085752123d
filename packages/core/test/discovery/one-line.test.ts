import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { errorLine, oneLine } from '../../src/discovery/plugin-files.ts'

const hostile = new Proxy(new Error('x'), {
  get() {
    throw new Error('no')
  },
  getPrototypeOf() {
    throw new Error('no')
  },
})

describe('oneLine', () => {
  it.each([
    ['\n\n  first \nsecond', 'first'],
    ['\u001b[1;31mred\u001b[0m text', 'red text'],
    ['\u001b]0;title\u0007shown', 'shown'],
    ['a\u0000\u0085b', 'a'],
    ['safe\u202egnp.exe', 'safe gnp.exe'],
    ['a\tb', 'a b'],
    ['half \ud83d of', 'half \ufffd of'],
    ['👩‍👩‍👧‍👦', '👩‍👩‍👧‍👦'],
    ['', ''],
  ])('of %j is %j', (text, line) => {
    expect(oneLine(text)).toBe(line)
  })

  it('of any text can be printed in a list', () => {
    const piece = fc.string({ unit: 'binary', maxLength: 30 })
    const anything = fc.tuple(piece, fc.nat(40)).map(([text, times]) => text.repeat(times))
    fc.assert(
      fc.property(anything, (text) => {
        const line = oneLine(text)
        expect(line).not.toMatch(/[\p{Cc}\p{Bidi_Control}\u2028\u2029]/u)
        expect(line.isWellFormed()).toBe(true)
        expect(Array.from(line).length).toBeLessThanOrEqual(300)
        expect(line).toBe(line.trim())
      }),
    )
  })
})

it.each([
  [new Error('said\nmore'), 'said'],
  ['a text', 'a text'],
  [undefined, 'undefined was thrown'],
  [Symbol('s'), 'Symbol(s)'],
  [new Error(''), 'an error without a text'],
  [Object.create(null), 'something that cannot be shown was thrown'],
  [
    Object.assign(new Error('x'), { message: Object.create(null) }),
    'something that cannot be shown was thrown',
  ],
  [hostile, 'something that cannot be shown was thrown'],
])('errorLine says what was thrown, case %#', (error, line) => {
  expect(errorLine(error)).toBe(line)
})
