/**
 * Letters of the scripts that put spaces between words, digits, underscores. A name in a Chinese or Korean sentence is a
 * word of its own although no space stands beside it.
 */
const LETTER = String.raw`[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Nd}_]`
const WORD = new RegExp(`${LETTER}+`, 'gu')
const ENDS_IN_LETTER = new RegExp(`${LETTER}$`, 'u')
const BEGINS_WITH_LETTER = new RegExp(`^${LETTER}`, 'u')

/** The words of a text and where they begin. Linear in the text. */
export function wordsOf(text: string): RegExpStringIterator<RegExpExecArray> {
  return text.matchAll(WORD)
}

/** True when a part of a text is no part of a longer word: no letter, digit or underscore stands on either side of it. */
export function isWhole(text: string, start: number, end: number): boolean {
  return (
    !ENDS_IN_LETTER.test(text.slice(Math.max(0, start - 2), start)) &&
    !BEGINS_WITH_LETTER.test(text.slice(end, end + 2))
  )
}

/** Where a name first stands in a text as a whole word; -1 if nowhere. */
export function indexOfName(text: string, name: string): number {
  let at = text.indexOf(name)
  while (at >= 0 && !isWhole(text, at, at + name.length)) at = text.indexOf(name, at + 1)
  return at
}
