/** Words that ask and bind, which say nothing of the matter. */
const COMMON: ReadonlySet<string> = new Set(
  (
    'the an of to in on for and or is are was were do does did we our us you your it its this that these those what ' +
    'which who how why when where with at by from be as not can should would will about use used have has had me my'
  ).split(' '),
)
/** Words of questions about the record as a whole: "Summarise everything we decided", "What is our stack?". */
const OF_THE_RECORD: ReadonlySet<string> = new Set(
  (
    'decide decided decides deciding decision decisions agree agreed choice choices choose chose chosen record stack ' +
    'summarise summarize summarised summarized summary recap overview list show tell give remind please all every ' +
    'everything anything so far now until yet again project'
  ).split(' '),
)
/** Scripts that are written without spaces. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u
const WORDS = /[\p{L}\p{M}\p{N}_]+/gu

/** The words of a text that say something, in lower case; of scripts without spaces, pairs of characters. */
export function questionWords(text: string): ReadonlySet<string> {
  const words = new Set<string>()
  for (const [word] of text.toLowerCase().matchAll(WORDS)) {
    if (!UNSPACED.test(word)) {
      if (word.length > 1 && !COMMON.has(word)) words.add(word)
      continue
    }
    const characters = Array.from(word)
    for (const [index, character] of characters.entries())
      words.add(character + (characters[index + 1] ?? ''))
  }
  return words
}

/** A question without the words that ask for the record; blank when it asks for nothing but that. */
export function subjectOf(question: string): string {
  const rest = question.replace(WORDS, (word) => (OF_THE_RECORD.has(word.toLowerCase()) ? '' : word))
  return questionWords(rest).size === 0 ? '' : rest
}

/** Characters that two forms of a word share at least. */
const LEAST_STEM = 4
const SURE_STEM = 6
/** The part of the shorter word that they share at least. */
const STEM_SHARE = 2 / 3

/** True for forms of one word: "auth" and "authenticate", "authenticate" and "authentication". */
export function isAlike(a: string, b: string): boolean {
  if (a === b) return true
  const shorter = Math.min(a.length, b.length)
  if (shorter < LEAST_STEM || /\p{N}/u.test(a + b) || UNSPACED.test(a + b)) return false
  let common = 0
  while (common < shorter && a[common] === b[common]) common++
  return common === shorter || (common >= SURE_STEM && common >= shorter * STEM_SHARE)
}
