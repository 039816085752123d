/** A text as the part of a regular expression with flag `u` that matches it. */
export function escapePattern(text: string): string {
  return text.toWellFormed().replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
}
