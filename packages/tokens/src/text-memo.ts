/** Characters of text that a memo may keep: the counted texts of a few very long sessions. */
const MAX_CHARACTERS = 32_000_000

/**
 * Remembers a number for each text, up to a bound; the texts that were not used for the longest time go first.
 */
export function memoizeByText(compute: (text: string) => number): (text: string) => number {
  const known = new Map<string, number>()
  let characters = 0
  return (text) => {
    const found = known.get(text)
    if (found !== undefined) {
      known.delete(text)
      known.set(text, found)
      return found
    }
    const value = compute(text)
    known.set(text, value)
    characters += text.length
    for (const oldest of known.keys()) {
      if (characters <= MAX_CHARACTERS) break
      known.delete(oldest)
      characters -= oldest.length
    }
    return value
  }
}
