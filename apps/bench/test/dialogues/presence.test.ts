import { describe, expect, it } from 'vitest'
import type { Item } from '../../src/dialogues/dialogue.ts'
import {
  BESIDE,
  countTitles,
  holdsItem,
  lastPlace,
  promptTexts,
  showsCurrent,
  showsStale,
} from '../../src/dialogues/presence.ts'

const steady: Item = { kind: 'setting', subject: ['voucher', 'grace period'], value: '417', settledAt: 9 }
const item: Item = { ...steady, wrong: { value: '305', statedAt: 3 } }
const far = ' x'.repeat(BESIDE)

describe('holdsItem', () => {
  it('wants the value and a word of its subject beside it', () => {
    expect(holdsItem(['The grace period is 417 minutes.'], item)).toBe(true)
    expect(holdsItem(['setting:grace-period = 417'], item)).toBe(true)
    expect(holdsItem(['417 of something'], item)).toBe(false)
    expect(holdsItem([`Voucher. ${far} 417`], item)).toBe(false)
    expect(holdsItem(['The voucher', '417'], item)).toBe(false)
  })

  it('takes no part of another number or name for the value', () => {
    expect(holdsItem(['The grace period is 1417 minutes, or 4170.'], item)).toBe(false)
    const named = { ...item, value: 'tests/a/b' }
    expect(holdsItem(['voucher: `tests/a/b`'], named)).toBe(true)
    expect(holdsItem(['voucher: tests/a/bc'], named)).toBe(false)
  })
})

describe('showsStale', () => {
  it('is true when the old value stands without the new one beside it, wherever else the new one is', () => {
    expect(showsStale(['The grace period is 305.'], item)).toBe(true)
    expect(showsStale(['The grace period is 305.', 'The grace period is 417.'], item)).toBe(true)
    expect(showsStale(['grace period: 417 (was 305)'], item)).toBe(false)
    expect(showsStale([`grace period: 417 (was 305) ${far} voucher 305`], item)).toBe(true)
  })

  it('is false for a number that is about something else, and for an item that was never wrong', () => {
    expect(showsStale(['line 305 of the file'], item)).toBe(false)
    expect(showsStale(['The grace period is 417.'], steady)).toBe(false)
  })
})

describe('showsCurrent', () => {
  it('is what the prompt says last about the subject', () => {
    expect(showsCurrent(['The grace period is 305.', 'The grace period is 417.'], item)).toBe(true)
    expect(showsCurrent(['The grace period is 417.', 'The grace period is 305.'], item)).toBe(false)
    expect(showsCurrent([`Grace period 417. ${far} Grace period 305.`], item)).toBe(false)
    expect(showsCurrent(['Correction: the grace period is 417. Not 305.'], item)).toBe(true)
  })

  it('is false when the prompt says nothing about it', () => {
    expect(showsCurrent(['line 417 of the file'], item)).toBe(false)
  })
})

describe('lastPlace', () => {
  it('is the last text and character where the value stands with its subject', () => {
    const text = 'The grace period is 417.'
    expect(lastPlace([text, `${text} ${text}`, '417'], item)).toMatchObject({ of: 1, at: text.length + 21 })
    expect(lastPlace(['417'], item)).toBeUndefined()
  })
})

describe('promptTexts and countTitles', () => {
  it('read what a model reads, arguments of calls too', () => {
    const call = {
      id: 'c',
      type: 'function',
      function: { name: 'read', arguments: '{"path":"src/a.py"}' },
    } as const
    const texts = promptTexts([{ role: 'assistant', content: 'look', tool_calls: [call] }])
    expect(texts).toEqual(['look\n{"path":"src/a.py"}'])
    expect(countTitles(['about the Voucher-Import'], ['voucher import', 'recipe ranking'])).toBe(1)
  })
})
