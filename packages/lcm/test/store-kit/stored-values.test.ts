import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { packHash, packName, unpackHash, unpackName } from '../../src/store-kit/stored-values.ts'

const odd = [
  '',
  '\0',
  'a\0b',
  '\ud800',
  '\udc00\ud800',
  '\u0001',
  '\u0001"x"',
  '"x"',
  '\ufffd',
  '__proto__',
  '😀',
]
const name = fc.oneof(
  fc.constantFrom(...odd),
  fc
    .array(fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)))
    .map((units) => units.join('')),
)

describe('packName', () => {
  it('makes a text of any name that every database holds, and gives the name back', () => {
    fc.assert(
      fc.property(name, (given) => {
        const packed = packName(given)
        expect(packed.isWellFormed() && !packed.includes('\0')).toBe(true)
        expect(unpackName(packed)).toBe(given)
      }),
    )
  })

  it('gives no two names the same text', () => {
    fc.assert(
      fc.property(fc.uniqueArray(name, { minLength: 2 }), (names) => {
        expect(new Set([...odd, ...names].map(packName)).size).toBe(new Set([...odd, ...names]).size)
      }),
    )
  })
})

describe('packHash', () => {
  it('takes half of the room of 64 digits, and keeps anything else as it is', () => {
    const hash = '0123456789abcdef'.repeat(4)
    expect(packHash(hash)).toHaveLength(32)
    for (const given of [hash, hash.toUpperCase(), hash.slice(1), '', 'a\0b'])
      expect(unpackHash(packHash(given))).toBe(given)
  })
})
