const MAX_WORDS = 8
/** A name as code has them: what a rule says of it may be said of another one later. */
const IDENTIFIER = /[\p{L}\p{N}]*(?:[\p{L}\p{N}]_[\p{L}\p{N}_]+|\p{Ll}\p{Lu}[\p{L}\p{N}]*)(?:\(\))?/gu

/** The slot of what is said in a sentence: its first words that say something, without the names in code that it is said of. */
export function proseSlot(value: string): string {
  const words = wordsOf(value.replace(IDENTIFIER, ' '))
  return (words.length > 2 ? words : wordsOf(value)).slice(0, MAX_WORDS).join('-').slice(0, 80)
}

function wordsOf(value: string): string[] {
  return value
    .normalize('NFKC')
    .toLowerCase()
    .replace(/\b(?:the|a|an|our|please|you|we|to|must|should|be|is|are|that|of)\b/g, ' ')
    .replace(/don't|do not/g, 'never')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .split(' ')
    .filter(Boolean)
}
