import type { SearchTerm } from '../store/lcm-session.ts'

/** 0: ASCII only, 1: other characters, 2: Chinese, Japanese or Korean ones among them. */
export type Script = 0 | 1 | 2

/**
 * Characters of scripts that are written without spaces. Fixed ranges, unlike `\p{Script=Han}`, which grows with the
 * version of Node: what was indexed must be found by a later one.
 */
export const CJK_CHARACTER =
  '[\\u1100-\\u11ff\\u2e80-\\u2fdf\\u3005-\\u3007\\u3021-\\u3029\\u3031-\\u3035\\u3038-\\u303b\\u3041-\\u318f' +
  '\\u31a0-\\u31bf\\u31f0-\\u31ff\\u3400-\\u4dbf\\u4e00-\\u9fff\\ua960-\\ua97f\\uac00-\\ud7fb\\uf900-\\ufaff' +
  '\\uff66-\\uffdc\\u{1aff0}-\\u{1b16f}\\u{20000}-\\u{3ffff}]'

// biome-ignore lint/suspicious/noControlCharactersInRegex: ASCII begins with them.
const NOT_ASCII = /[^\u0000-\u007f]/
const CJK = new RegExp(CJK_CHARACTER, 'u')

/** The script of a text, which decides how it is indexed. */
export function scriptOf(text: string): Script {
  if (!NOT_ASCII.test(text)) return 0
  return CJK.test(text) ? 2 : 1
}

/**
 * A text without the difference between upper and lower case, character by character: texts that differ in nothing
 * else, by Unicode's case folding or by `toLowerCase`, become equal. A database's own folding is older than Unicode's, or depends on its locale.
 */
export function foldText(text: string): string {
  if (!NOT_ASCII.test(text)) return text.toLowerCase()
  // By way of the capitals, because K and the sign for kelvin only meet in lower case, and ſ and s only in upper.
  return text.toLowerCase().toUpperCase().toLowerCase().replaceAll('ς', 'σ')
}

/**
 * The words of a text with spaces between them. Letters, decimal digits and underscores make a word. Marks and other
 * numbers divide one: a search that counts them to the word still finds all parts of it.
 */
export function wordText(text: string): string {
  return foldText(text).replace(/[^\p{L}\p{Nd}_]+/gu, ' ')
}

const CJK_RUN = new RegExp(`${CJK_CHARACTER}+`, 'gu')

/** Each Chinese, Japanese or Korean character of a text, and each two that stand side by side, once. */
export function cjkGrams(text: string): Set<string> {
  const grams = new Set<string>()
  for (const [run] of text.matchAll(CJK_RUN)) {
    let previous = ''
    for (const character of run) {
      grams.add(character)
      if (previous !== '') grams.add(previous + character)
      previous = character
    }
  }
  return grams
}

/** `cjkGrams` with spaces between them, as they are indexed. */
export function gramText(text: string): string {
  return [...cjkGrams(text)].join(' ')
}

/** A word that a text with the term must hold, in the form that is indexed; `open`: a word that begins with it. */
export interface TermWord {
  readonly word: string
  readonly open: boolean
}

/** All words that a text with the term must hold; null when words cannot tell. */
export function termWords({ kind, text }: SearchTerm): readonly TermWord[] | null {
  if (kind === 'substring') return null
  const words = wordText(text).split(' ').filter(Boolean)
  // A prefix that ends in a separator ends with a whole word.
  const isOpen = kind === 'prefix' && !/[^\p{L}\p{Nd}_]$/u.test(foldText(text))
  return words.map((word, index) => ({ word, open: isOpen && index === words.length - 1 }))
}
