import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { parseOptions } from '../../src/options.ts'

const schema = z.strictObject({
  profile: z.enum(['a', 'b']).default('a'),
  nested: z.strictObject({ limit: z.int().positive().optional() }).prefault({}),
})

describe('parseOptions', () => {
  it('returns what the schema makes of it', () => {
    expect(parseOptions(schema, {}, '')).toEqual({ profile: 'a', nested: {} })
  })

  it.each([
    [
      { profil: 'a' },
      'lcm',
      'lcm.profil: this key is not known here (did you mean "profile"?); known keys: profile, nested',
    ],
    [
      { nested: { limits: 1 } },
      'lcm',
      'lcm.nested.limits: this key is not known here (did you mean "limit"?); known keys: limit',
    ],
    [{ nested: { limit: 0 } }, '', 'nested.limit: expected number above 0'],
    [undefined, '', 'expected object, received undefined'],
    ['text', 'lcm', 'lcm: expected object, received string'],
  ])('says what is wrong with %j', (value, path, message) => {
    expect(() => parseOptions(schema, value, path)).toThrow(
      expect.objectContaining({ message, code: 'INVALID_OPTION' }),
    )
  })
})
