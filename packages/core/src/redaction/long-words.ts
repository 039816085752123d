/** No token is shorter. */
const LEAST = 15
const ENDS = new Uint8Array(128)
for (const character of ' \t\n\v\f\r"\'`') ENDS[character.charCodeAt(0)] = 1

/** The words of a text that may be tokens, one a line: long runs without white space and quotes. Linear. */
export function longWords(text: string): string {
  const isInWord = (at: number): boolean => at >= 0 && at < text.length && ENDS[text.charCodeAt(at)] !== 1
  let words = ''
  // A long word holds one of every 15 characters.
  for (let at = LEAST - 1; at < text.length; at += LEAST) {
    if (!isInWord(at)) continue
    let start = at
    while (isInWord(start - 1)) start--
    while (isInWord(at)) at++
    if (at - start >= LEAST) words += `${text.slice(start, at)}\n`
  }
  return words
}
