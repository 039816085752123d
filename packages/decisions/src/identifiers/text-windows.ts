import { cutAfter, cutBefore } from './shorten.ts'

/** Characters of one text that are looked at: a longer text is represented by its beginning and its end. */
const MAX_ANALYZED_CHARS = 512 * 1024

/**
 * The parts of a text that are analysed: the whole of it up to `maxChars` characters, else its first and last
 * half of that. Bounds the work on a single huge message.
 */
export function textWindows(text: string, maxChars = MAX_ANALYZED_CHARS): readonly string[] {
  if (text.length <= maxChars) return text === '' ? [] : [text]
  const half = maxChars >> 1
  return [text.slice(0, cutBefore(text, half)), text.slice(cutAfter(text, text.length - half))]
}
