import { describe, expect, it } from 'vitest'
import { generateDialogue } from '../../src/dialogues/generate-dialogue.ts'
import { PLANTED_KINDS, plantAnswers } from '../../src/judge/check-judge.ts'

const dialogue = generateDialogue({ seed: 3, turns: 30 })
const answers = plantAnswers([dialogue])

/** What is planted, fact by fact. */
const planted = answers.flatMap((answer) =>
  answer.planted.map((kind, index) => ({ kind, fact: answer.facts[index], text: answer.answer })),
)

describe('plantAnswers', () => {
  it('plants every kind, and every fact in each that it can be in', () => {
    expect(new Set(planted.map(({ kind }) => kind))).toEqual(new Set(PLANTED_KINDS))
    const abouts = new Set(planted.map(({ fact }) => fact?.about))
    for (const about of abouts) {
      const ofFact = planted.filter(({ fact }) => fact?.about === about)
      const missing = ofFact[0]?.fact?.wrong === null ? 'stale' : 'omitted'
      expect(new Set(ofFact.map(({ kind }) => kind))).toEqual(
        new Set(PLANTED_KINDS.filter((kind) => kind !== missing)),
      )
    }
  })

  it('gives the value only where it is right', () => {
    for (const { kind, fact, text } of planted) {
      const isThere = text.replaceAll(/(?<=\d),(?=\d)/g, '').includes(fact?.value ?? '')
      expect([kind, isThere]).toEqual([kind, kind === 'right' || kind === 'reworded'])
    }
  })

  it('mixes right and other facts in each answer, the commands excepted', () => {
    const mixed = answers.filter((answer) => !answer.planted.includes('command') && answer.facts.length > 3)
    expect(mixed.length).toBeGreaterThan(0)
    // There are six kinds, the next fact has the first again.
    for (const { planted: kinds } of mixed)
      expect(new Set(kinds).size).toBeGreaterThanOrEqual(Math.min(kinds.length, 6))
  })

  it('is of a bounded number, however many dialogues there are', () => {
    const many = [1, 2, 3, 4].map((seed) => generateDialogue({ seed, turns: 30 }))
    expect(plantAnswers(many)).toHaveLength(6 * 7)
  })
})
