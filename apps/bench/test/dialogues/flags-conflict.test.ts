import { describe, expect, it } from 'vitest'
import { generateDialogue } from '../../src/dialogues/generate-dialogue.ts'
import { flagsConflict } from '../../src/dialogues/measure-probe.ts'
import { promptTexts } from '../../src/dialogues/presence.ts'

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

  it.each([
    'The lease has two different values, 417 and 305.',
    'The lease: it is unclear which of 417 and 305 holds.',
    'lease: ambiguous (417, 305)',
    'lease 417 vs 305, not resolved',
    'lease: 417 and 305 conflict',
    'The lease is either 417 or 305.',
    'lease: 417, 305 (clarify with the user)',
    'lease: open which, 417, 305',
  ])('takes the words of any writer: %s', (text) => {
    expect(flags(text)).toBe(true)
    expect(flags(text, ['9'])).toBe(false)
  })

  it('does not take what only our own renderer says, or a choice between other things', () => {
    expect(flags('lease: 417 or 305, ask before relying on it')).toBe(false)
    expect(flags('The lease was 417, now it is 305.')).toBe(false)
    expect(flags('The lease was 417 or 305, and so it is.')).toBe(false)
  })

  it('finds no mark in a generated conversation, so that only what an engine writes counts', () => {
    for (const seed of [1, 2, 3]) {
      const { messages, topics } = generateDialogue({ seed, turns: 30 })
      const texts = promptTexts(messages)
      for (const { items, contests } of topics) {
        for (const { subject, value } of items) expect(flagsConflict(texts, subject, [value])).toBe(false)
        for (const { subject, values } of contests) expect(flagsConflict(texts, subject, values)).toBe(false)
      }
    }
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
