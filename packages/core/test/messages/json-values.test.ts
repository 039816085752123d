import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { copyValue, equalValues, InvalidMessagesError } from '../../src/index.ts'
import { counted } from '../counted.ts'

/** JSON text with sorted keys: the meaning of "JSON would write them alike". */
function canonical(value: unknown): string | undefined {
  return JSON.stringify(value, (_, member) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  )
}

/** Values as hosts have them: JSON, and what JSON leaves out or writes otherwise. */
const { value: hostValue } = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.string({ maxLength: 4 }),
    fc.constantFrom(null, undefined, true, 0, 1.5, Number.NaN, Number.POSITIVE_INFINITY, new Date(0)),
    fc.constant(() => 1),
    fc.constant(Symbol('s')),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('a', 'b', 'constructor', 'toString', 'length'), tie('value'), {
      maxKeys: 3,
    }),
    fc.constantFrom(JSON.parse('{"__proto__": {"a": 1}}'), JSON.parse('{"__proto__": {}}')),
  ),
}))

describe('equalValues', () => {
  it('is equality as JSON', async () => {
    await counted(
      'equalValues agrees with JSON text',
      fc.property(hostValue, hostValue, (a, b) => {
        expect(equalValues(a, b)).toBe(canonical(a) === canonical(b))
        expect(equalValues(a, copyValue(a))).toBe(true)
      }),
      3000,
      'pairs of values',
    )
  })

  it.each([
    [{}, JSON.parse('{"__proto__": {"a": 1}}')],
    [{}, { constructor: 'x' }],
    [{ toString: 'x' }, {}],
    [
      { a: undefined, b: 1 },
      { a: 1, b: 1 },
    ],
    [[1, 2], { 0: 1, 1: 2 }],
    [{ at: new Date(0) }, { at: new Date(1) }],
  ])('tells %j from %j', (a, b) => {
    expect(equalValues(a, b)).toBe(false)
    expect(equalValues(b, a)).toBe(false)
  })
})

describe('copyValue', () => {
  it('copies what JSON would write, and shares nothing', async () => {
    await counted(
      'invariant 6, copies share nothing',
      fc.property(hostValue, (value) => {
        const copy = copyValue(value)
        expect(canonical(copy)).toBe(canonical(value))
        expect(JSON.stringify(copy)).toBe(JSON.stringify(value))
        if (typeof copy === 'object' && copy !== null) expect(copy).not.toBe(value)
      }),
      2000,
      'values',
    )
  })

  it('keeps a key named __proto__ as a key', () => {
    const copy = copyValue(JSON.parse('{"__proto__": {"polluted": true}}'))
    expect(Object.keys(copy)).toEqual(['__proto__'])
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
  })

  it('takes class instances, getters and toJSON as JSON does', () => {
    class Stamp {
      readonly at = new Date(0)
      get text(): string {
        return 'not an own member'
      }
    }
    class Secret {
      toJSON(): unknown {
        return { shown: true }
      }
    }
    const value = {
      stamp: new Stamp(),
      secret: new Secret(),
      get read(): number {
        return 7
      },
    }
    expect(copyValue<unknown>(value)).toEqual({
      stamp: { at: '1970-01-01T00:00:00.000Z' },
      secret: { shown: true },
      read: 7,
    })
  })

  const cyclic: { self?: unknown } = {}
  cyclic.self = { inner: [cyclic] }
  it.each([
    [cyclic, 'the value.self.inner[0] refers back to itself'],
    [{ a: [1n] }, 'the value.a[0] is a bigint'],
    [{ cache: new Map([['a', 1]]) }, 'the value.cache is [object Map]'],
    [{ seen: new Set([1]) }, 'the value.seen is [object Set]'],
    [{ bytes: new Uint8Array(3) }, 'the value.bytes is [object Uint8Array]'],
    [{ failure: new Error('x') }, 'the value.failure is [object Error]'],
  ])('refuses what JSON would lose: %o', (value, text) => {
    expect(() => copyValue<unknown>(value)).toThrow(InvalidMessagesError)
    expect(() => copyValue<unknown>(value)).toThrow(`${text}; a message holds only what JSON can carry`)
  })
})
