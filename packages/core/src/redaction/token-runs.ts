/** Characters that tokens, hashes and base64 are made of. */
const IS_PART = new Uint8Array(128)
for (const character of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/_=-.$~:')
  IS_PART[character.charCodeAt(0)] = 1
/** The shortest token that a shape names has one more. */
const SHORTEST = 15

/**
 * The parts of a text in which tokens could be: what stands in one piece, a line for each. Mostly a small part of the
 * text, found without looking at each of its characters.
 */
export function tokenRuns(text: string): string {
  let runs = ''
  // No run begins before this place.
  let from = 0
  for (let at = SHORTEST - 1; at < text.length; at = from + SHORTEST - 1) {
    if (!isPart(text, at)) {
      from = at + 1
      continue
    }
    let start = at
    while (start > from && isPart(text, start - 1)) start--
    let end = at + 1
    while (end < text.length && isPart(text, end)) end++
    if (end - start >= SHORTEST) runs += `\n${text.slice(start, end)}`
    from = end + 1
  }
  return `${runs}\n`
}

function isPart(text: string, at: number): boolean {
  return IS_PART[text.charCodeAt(at)] === 1
}
