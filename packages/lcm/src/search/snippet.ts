import { lineAt, sliceCharacters } from '@palimpsest/core'
import type { Span, TextMatch } from './find-term.ts'
import { type MessageHit, PASSAGE_CHARACTERS } from './search-types.ts'

export function cutAround(text: string, { start, end }: Span, characters: number): string {
  if (text.length <= characters) return text
  const shown = Math.min(end - start, characters)
  const wanted = start - Math.floor((characters - shown) / 2)
  const from = wordStart(text, Math.max(0, Math.min(wanted, text.length - characters)), start)
  const to = wordEnd(text, Math.min(text.length, from + characters), start + shown)
  return `${from > 0 ? '…' : ''}${sliceCharacters(text, from, to)}${to < text.length ? '…' : ''}`
}

/** Characters given up so that a cut falls between words. */
const WORD_CHARACTERS = 20

function wordStart(text: string, from: number, start: number): number {
  if (from === 0) return 0
  const space = text.slice(from, Math.min(start, from + WORD_CHARACTERS)).search(/\s/)
  return space < 0 ? from : from + space + 1
}

function wordEnd(text: string, to: number, end: number): number {
  if (to === text.length) return to
  const least = Math.max(end, to - WORD_CHARACTERS)
  const space = text.slice(least, to).search(/\s\S*$/)
  return space < 0 ? to : least + space
}

export function describeMatch(
  text: string,
  match: TextMatch,
): Pick<MessageHit, 'matches' | 'found' | 'line'> {
  const { count, start, end } = match
  return {
    matches: count,
    found: sliceCharacters(text, start, Math.min(end, start + PASSAGE_CHARACTERS)),
    line: lineAt(text, start),
  }
}

/** A match that ends before this many bytes is shown with everything before it. */
const FROM_START_BYTES = 2_000
const LEAD_CHARACTERS = 400

export function readingOffset(text: string, { start, end }: Span): number {
  if (end <= FROM_START_BYTES && Buffer.byteLength(text.slice(0, end)) <= FROM_START_BYTES) return 0
  const line = start === 0 ? 0 : text.lastIndexOf('\n', start - 1) + 1
  const from = Math.max(line, start - LEAD_CHARACTERS, 0)
  // Half of a character would count as three bytes.
  return Buffer.byteLength(sliceCharacters(text, 0, from))
}
