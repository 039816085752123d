/** Characters that make words: letters, marks, digits, private use, and the underscore. */
const WORD_CHARACTER = /^[\p{L}\p{M}\p{N}\p{Co}_]/u

/** Whether the occurrence from `start` to `end` begins a word: no word character stands right before it. */
export function startsWord(text: string, start: number): boolean {
  if (start === 0) return true
  const unit = text.charCodeAt(start - 1)
  if (unit < 0x80) return !isAsciiWord(unit)
  const low = unit >= 0xdc00 && unit <= 0xdfff
  return !WORD_CHARACTER.test(text.slice(low ? Math.max(0, start - 2) : start - 1, start))
}

/** Whether the occurrence that ends before `end` ends a word: no word character follows. */
export function endsWord(text: string, end: number): boolean {
  if (end >= text.length) return true
  const unit = text.charCodeAt(end)
  return unit < 0x80 ? !isAsciiWord(unit) : !WORD_CHARACTER.test(text.slice(end, end + 2))
}

function isAsciiWord(unit: number): boolean {
  const letter = unit | 0x20
  return (letter >= 0x61 && letter <= 0x7a) || (unit >= 0x30 && unit <= 0x39) || unit === 0x5f
}
