import { sliceCharacters } from '@palimpsest/core'
import type { Span } from './find-term.ts'

/** A match that ends before this many bytes is shown with everything before it. */
const FROM_START_BYTES = 2_000
/** Characters before a match that are shown at most: up to the beginning of its line. */
const LEAD_CHARACTERS = 400

/** Where to begin to read a text so that a match is seen with what stands before it: UTF-8 bytes from its beginning. */
export function readingOffset(text: string, { start, end }: Span): number {
  if (end <= FROM_START_BYTES && Buffer.byteLength(text.slice(0, end)) <= FROM_START_BYTES) return 0
  const line = start === 0 ? 0 : text.lastIndexOf('\n', start - 1) + 1
  const from = Math.max(line, start - LEAD_CHARACTERS, 0)
  // Half of a character would count as three bytes.
  return Buffer.byteLength(sliceCharacters(text, 0, from))
}
