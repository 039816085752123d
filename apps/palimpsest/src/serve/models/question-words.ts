/** Words that ask and bind, which say nothing of the matter. */
const COMMON: ReadonlySet<string> = new Set(
  (
    'the an of to in on for and or is are was were do does did we our us you your it its this that these those what ' +
    'which who how why when where with at by from be as not can should would will about use used'
  ).split(' '),
)
/** Scripts that are written without spaces. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u

/** The words of a text that say something, in lower case; of scripts without spaces, pairs of characters. */
export function questionWords(text: string): ReadonlySet<string> {
  const words = new Set<string>()
  for (const [word] of text.toLowerCase().matchAll(/[\p{L}\p{N}_]+/gu)) {
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
