import { remembered } from '../remembered.ts'

/** Characters of a text that are read for terms. */
const READ_CHARACTERS = 20_000
/** Words that say how something is asked, and verbs that every decision has. Rarer ones count little anyway. */
const FILLERS: ReadonlySet<string> = new Set(
  (
    'about add all an and any are as at be but by can change could do does for from get give go had has have how if in ' +
    'into is it its let like make me my need new no not now of on one or our out please set should so that the their ' +
    'them then there these they this to us use used using want was we were what when where which who why will with ' +
    'would you your'
  ).split(' '),
)
const WORDS = /[\p{L}\p{M}\p{N}_]+/gu
const ASCII_WORDS = /\w+/g
const NOT_ASCII = /[^\0-\x7f]/
/** Scripts that put no spaces between words, or mark them within a run of syllables. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]+/gu
const HUMPS = /(?<=\p{Ll})(?=\p{Lu})|_+/u
const MAY_HAVE_HUMPS = /[^a-z\d]/

/**
 * The words of a text for comparison: in lower case, without a plural's s; an identifier as a whole and in its parts
 * (`maxRetries`: maxretries, max, retry); pairs of neighbouring characters where a script has no spaces.
 */
export function queryTerms(text: string): Set<string> {
  const terms = new Set<string>()
  eachTerm(text, (term) => terms.add(term))
  return terms
}

/** The same words, each as often as the text has it. */
export function eachTerm(text: string, take: (term: string) => void): void {
  const read = text.slice(0, READ_CHARACTERS)
  const words = NOT_ASCII.test(read) ? read.normalize('NFKC').match(WORDS) : read.match(ASCII_WORDS)
  for (const word of words ?? []) for (const term of termsOfWord(word)) take(term)
}

/** Texts use the same words again and again. */
const termsOfWord = remembered(readWord, 5_000, 40)

function readWord(word: string): readonly string[] {
  if (!MAY_HAVE_HUMPS.test(word)) return termOf(word)
  const runs = [...word.matchAll(UNSPACED)].flatMap(([run]) => pairsOf(run))
  const spaced = word.replace(UNSPACED, ' ').split(' ')
  return [...runs, ...spaced.flatMap((piece) => [piece, ...piece.split(HUMPS)]).flatMap(termOf)]
}

function termOf(word: string): readonly string[] {
  const lower = word.toLowerCase()
  const stem = lower.length > 3 ? lower.replace(/ies$/, 'y').replace(/(?<=[^s])s$/, '') : lower
  const says = stem.length > 1 || /\p{N}/u.test(stem)
  return says && !FILLERS.has(lower) ? [stem] : []
}

function pairsOf(run: string): readonly string[] {
  const characters = [...run]
  if (characters.length === 1) return [run]
  return characters.slice(1).map((character, index) => `${characters[index]}${character}`)
}
