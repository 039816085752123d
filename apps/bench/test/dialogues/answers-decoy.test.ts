import { describe, expect, it } from 'vitest'
import { answersDecoy } from '../../src/dialogues/answers-decoy.ts'
import type { Decoy } from '../../src/dialogues/dialogue.ts'

const decoy: Decoy = {
  kind: 'setting',
  subject: ['voucher', 'lease'],
  origin: 'foreign',
  pool: ['417', '305'],
  elsewhere: ['courier'],
}
const answers = (text: string): boolean => answersDecoy([text], decoy)

describe('answersDecoy', () => {
  it('is true for a value of the kind in one statement with what was asked about', () => {
    expect(answers('lease: 417')).toBe(true)
    expect(answers('The lease of the voucher import is 305 seconds.')).toBe(true)
  })

  it('is false when the value is that of another topic, or stands in another statement', () => {
    expect(answers('The lease of the courier tracking is 417 seconds.')).toBe(false)
    expect(answers('- length (courier)\n  "I want a lease of 417." (turn 3)')).toBe(false)
    expect(answers('Did we settle the lease?\nThe quota is 417.')).toBe(false)
    expect(answers('Did we ever settle its lease? It has 9 lines.')).toBe(false)
  })
})
