import type { Source } from './source.ts'

/** Whether something was said before something else. What another session said was said before. */
export function isBefore(source: Source, other: Source): boolean {
  if (source.session !== other.session) return true
  return source.message === other.message ? source.start < other.start : source.message < other.message
}

/**
 * Whether a stretch lies before an end, or in the words that were the end: what is found late, by a slower reader, was
 * over when it was found. What another session ended says nothing about what is said in this one.
 */
export function isOverBy(source: Source, end: Source): boolean {
  if (source.session !== end.session) return false
  return source.message === end.message ? source.start < end.end : source.message < end.message
}
