/** Lone surrogates cannot be written as UTF-8, and C interfaces end a text at a NUL character. */
export function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0')
}

/** The text with U+FFFD in the place of what cannot be stored. Its length in characters is the same. */
export function storableCopy(text: string): string {
  return isStorable(text) ? text : text.toWellFormed().replaceAll('\0', '\uFFFD')
}
