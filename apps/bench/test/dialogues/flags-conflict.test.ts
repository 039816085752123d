import { describe, expect, it } from 'vitest'
import { flagsConflict } from '../../src/dialogues/flags-conflict.ts'

const subject = ['voucher', 'lease'] as const
const flags = (text: string, values: readonly string[] = ['417', '305']): boolean =>
  flagsConflict([text], subject, values)

describe('flagsConflict', () => {
  it('wants both values with the subject and a mark, in a line or in objects of an answer', () => {
    expect(flags('- lease (voucher): 417 (turn 3) or 305 (turn 9): contested, ask before relying')).toBe(true)
    expect(
      flags(
        '[{"slot":"lease","choice":"417","contested_by":["d2"]},{"slot":"lease","choice":"305","contested_by":["d1"]}]',
      ),
    ).toBe(true)
    expect(flags('The lease was 417, and later 305: these contradict each other.')).toBe(true)
  })

  it('is false without a mark, with one value, or with a mark of another line', () => {
    expect(flags('The lease is 417.\nThe lease is 305.')).toBe(false)
    expect(flags('lease: 417: contested')).toBe(false)
    expect(flags('- lease: 417\n- lease: 305\n- quota: contested')).toBe(false)
    expect(flags('- port: 417 or 305: contested')).toBe(false)
  })

  it('with one value says whether that value is marked', () => {
    expect(flags('lease: 417 or 9: contested', ['417'])).toBe(true)
    expect(flags('lease: 417', ['417'])).toBe(false)
  })
})
