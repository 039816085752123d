import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cutAround } from '../../src/search/snippet.ts'

describe('cutAround', () => {
  it('shows the match, never splits a character and is bounded, wherever the match is', () => {
    const filler = fc.constantFrom('a', ' ', '\n', '𝒳', '数', 'word ')
    const part = fc.array(filler, { maxLength: 300 }).map((parts) => parts.join(''))
    fc.assert(
      fc.property(part, part, fc.integer({ min: 20, max: 300 }), (before, after, characters) => {
        const text = `${before}needle${after}`
        const shown = cutAround(text, { start: before.length, end: before.length + 6 }, characters)
        expect(shown).toContain('needle')
        expect(shown.isWellFormed()).toBe(true)
        expect(shown.length).toBeLessThanOrEqual(Math.max(characters, 6) + 2)
        expect(text).toContain(shown.replace(/^…|…$/g, ''))
      }),
    )
  })

  it('ends between words, and marks a cut', () => {
    const text = `${'before '.repeat(20)}needle ${'after '.repeat(20)}`
    const start = text.indexOf('needle')
    expect(cutAround(text, { start, end: start + 6 }, 40)).toMatch(/^…(?:before )+needle(?: after)+…$/)
    expect(cutAround('needle', { start: 0, end: 6 }, 40)).toBe('needle')
  })
})
