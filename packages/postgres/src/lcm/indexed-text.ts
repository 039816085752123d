import { cjkGrams, foldText, scriptOf, wordText } from '@palimpsest/lcm/store-kit'

/** A text as the indexes hold it. */
export interface IndexedText {
  /** The text without the difference between upper and lower case. */
  readonly folded: string
  /** Its words, with spaces between them. */
  readonly words: string
  /** Its Chinese, Japanese and Korean characters, alone and by two, with spaces between them; null without any. */
  readonly grams: string | null
}

/** Characters of a word that are indexed. PostgreSQL holds 2,046 bytes of one, and these are 1,024 at most. */
const MAX_WORD = 256

/** Bytes of all words of one text that are indexed. PostgreSQL holds a megabyte. */
const MAX_WORDS = 500_000

/** Stands for the words of a text with too many of them. No word is like it. Every question for a word asks for it too. */
export const TOO_MANY_WORDS = '*'

/** A text in the forms that are indexed. */
export function indexedText(text: string): IndexedText {
  const words = [...new Set(wordText(text).split(' ').filter(Boolean).map(indexedWord))].join(' ')
  return {
    folded: foldText(text),
    words: Buffer.byteLength(words) > MAX_WORDS ? TOO_MANY_WORDS : words,
    grams: scriptOf(text) === 2 ? [...cjkGrams(text)].join(' ') : null,
  }
}

/** A word as it is indexed: the beginning of a very long one. */
export function indexedWord(word: string): string {
  return word.length <= MAX_WORD ? word : [...word].slice(0, MAX_WORD).join('')
}
