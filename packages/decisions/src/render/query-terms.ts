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
/** Scripts that put no spaces between words, or mark them within a run of syllables. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]+/gu
const HUMPS = /(?<=\p{Ll})(?=\p{Lu})|_+/u

/**
 * The words of a text for comparison: in lower case, without a plural's s; an identifier as a whole and in its parts
 * (`maxRetries`: maxretries, max, retry); pairs of neighbouring characters where a script has no spaces.
 */
export function queryTerms(text: string): Set<string> {
  const terms = new Set<string>()
  const normal = text.slice(0, READ_CHARACTERS).normalize('NFKC')
  for (const [word] of normal.matchAll(WORDS)) {
    for (const [run] of word.matchAll(UNSPACED)) addPairs(terms, run)
    const spaced = word.replace(UNSPACED, ' ').split(' ')
    for (const part of spaced.flatMap((piece) => [piece, ...piece.split(HUMPS)])) addWord(terms, part)
  }
  return terms
}

function addWord(terms: Set<string>, word: string): void {
  const lower = word.toLowerCase()
  const stem = lower.length > 3 ? lower.replace(/ies$/, 'y').replace(/(?<=[^s])s$/, '') : lower
  const says = stem.length > 1 || /\p{N}/u.test(stem)
  if (says && !FILLERS.has(lower)) terms.add(stem)
}

function addPairs(terms: Set<string>, run: string): void {
  const characters = [...run]
  if (characters.length === 1) terms.add(run)
  for (let index = 1; index < characters.length; index++)
    terms.add(`${characters[index - 1]}${characters[index]}`)
}
