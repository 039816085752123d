/** Characters of text that a memo may keep: the counted texts of a few very long sessions. */
const MAX_CHARACTERS = 32_000_000

/**
 * Remembers a number for each text, up to a bound; the texts that were not used for the longest time go first.
 */
export function memoizeByText(compute: (text: string) => number): (text: string) => number {
  const known = new Map<string, number>()
  let characters = 0

  const forgetOldest = (): void => {
    for (const oldest of known.keys()) {
      known.delete(oldest)
      characters -= oldest.length
      if (characters <= MAX_CHARACTERS) return
    }
  }

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
    // Only when it is due: an iterator first walks over the places that texts left when they were used again.
    if (characters > MAX_CHARACTERS) forgetOldest()
    return value
  }
}
