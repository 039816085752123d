import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { contextLines, cutSnippet, SNIPPET_CHARACTERS } from '../../src/search/snippet.ts'

const spanOf = (text: string, wanted: string) => {
  const start = text.indexOf(wanted)
  return { start, end: start + wanted.length }
}

describe('cutSnippet', () => {
  it('never splits a character and is bounded, wherever the match is', () => {
    const texts = fc.array(fc.constantFrom('😀', 'a', '𝒳', '数', '\n'), { minLength: 1, maxLength: 600 })
    fc.assert(
      fc.property(texts, fc.nat(), fc.nat(300), (parts, at, length) => {
        const text = parts.join('')
        const start = parts.slice(0, at % parts.length).join('').length
        const end = Math.min(text.length, start + length)
        const snippet = cutSnippet(text, { start, end })
        expect(snippet.isWellFormed()).toBe(true)
        expect(snippet.length).toBeLessThanOrEqual(SNIPPET_CHARACTERS + 2)
        expect(text).toContain(snippet.replace(/^…|…$/g, ''))
        expect(contextLines(text, { start, end }, 2).isWellFormed()).toBe(true)
      }),
    )
  })
})

describe('contextLines', () => {
  const text = 'one\ntwo\nthree needle\nfour\nfive'
  it('shows the lines around the line of the match', () => {
    expect(contextLines(text, spanOf(text, 'needle'), 1)).toBe('two\nthree needle\nfour')
    expect(contextLines(text, spanOf(text, 'needle'), 5)).toBe(text)
  })

  it('stays within the text at its ends', () => {
    expect(contextLines(text, spanOf(text, 'one'), 1)).toBe('one\ntwo')
    expect(contextLines(text, spanOf(text, 'five'), 1)).toBe('four\nfive')
    expect(contextLines('\n\nx\n\n', { start: 2, end: 3 }, 5)).toBe('\n\nx\n\n')
  })

  it('cuts long lines', () => {
    const long = `${'y'.repeat(5000)}\nneedle${'z'.repeat(5000)}`
    expect(contextLines(long, spanOf(long, 'needle'), 1).length).toBeLessThan(2 * SNIPPET_CHARACTERS + 10)
  })
})
