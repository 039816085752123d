import { describe, expect, it } from 'vitest'
import { cjkGrams, foldText, gramText, scriptOf, wordText } from '../../src/store-kit/fold-text.ts'

describe('foldText', () => {
  it('folds every two characters alike that differ in nothing but case', () => {
    const cased: string[] = []
    for (let code = 0; code < 0x110000; code++) {
      if (code >= 0xd800 && code < 0xe000) continue
      const character = String.fromCodePoint(code)
      const [lower, upper] = [character.toLowerCase(), character.toUpperCase()]
      if (lower === character && upper === character) continue
      cased.push(character)
      expect(foldText(lower)).toBe(foldText(character))
      expect(foldText(upper)).toBe(foldText(character))
    }
    // Some only have a partner that has none itself.
    const all = [...new Set(cased.flatMap((character) => [character, ...character.toLowerCase(), '\u0345']))]
    const line = all.join('\n')
    for (const character of all) {
      for (const [match] of line.matchAll(
        new RegExp(character.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'), 'giu'),
      ))
        expect(foldText(match)).toBe(foldText(character))
    }
    console.log(`characters with case compared: ${all.length}`)
    expect(all.length).toBeGreaterThan(2500)
  })

  it('knows its scripts', () => {
    expect(['plain', 'naïve', '日本', 'かな', '한글', '𠀀', '—'].map(scriptOf)).toEqual([0, 1, 2, 2, 2, 2, 1])
  })

  it('makes words of letters, digits and underscores, in one case', () => {
    expect(wordText('Quick_fox: ÜBER-2 (naïve)').trim()).toBe('quick_fox über 2 naïve')
  })

  it('makes grams of what is written without spaces, each once', () => {
    expect([...cjkGrams('寿司 and 寿司屋')]).toEqual(['寿', '司', '寿司', '屋', '司屋'])
    expect(gramText('plain text')).toBe('')
  })
})
