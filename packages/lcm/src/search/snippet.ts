import { lineAt, sliceCharacters } from '@palimpsest/core'
import type { Span, TextMatch } from './find-term.ts'
import type { MessageHit } from './search-types.ts'

/** Characters of a snippet, the marks of a cut not counted. */
export const SNIPPET_CHARACTERS = 200
/** Characters of a line of context at most. */
const LINE_CHARACTERS = 200
/** Lines of context on each side at most. */
export const MAX_CONTEXT_LINES = 5

/** The text around a match. A text that goes on is marked with `…`. */
export function cutSnippet(text: string, { start, end }: Span): string {
  const shown = Math.min(end - start, SNIPPET_CHARACTERS)
  const before = Math.floor((SNIPPET_CHARACTERS - shown) / 2)
  const from = Math.max(0, Math.min(start - before, text.length - SNIPPET_CHARACTERS))
  return cutText(text, from, from + SNIPPET_CHARACTERS)
}

/** The line of a match with up to `lines` lines before and after it, each of bounded length. */
export function contextLines(text: string, { start, end }: Span, lines: number): string {
  const lineStart = start === 0 ? 0 : text.lastIndexOf('\n', start - 1) + 1
  const result = [cutLine(text, lineStart, start, end)]
  for (let at = lineStart, n = 0; n < lines && at > 0; n++) {
    const previous = at < 2 ? 0 : text.lastIndexOf('\n', at - 2) + 1
    result.unshift(cutLine(text, previous, previous, previous))
    at = previous
  }
  for (let at = lineEnd(text, start) + 1, n = 0; n < lines && at <= text.length; n++) {
    result.push(cutLine(text, at, at, at))
    at = lineEnd(text, at) + 1
  }
  return result.join('\n')
}

function cutLine(text: string, lineStart: number, start: number, end: number): string {
  const stop = lineEnd(text, lineStart)
  if (stop - lineStart <= LINE_CHARACTERS) return text.slice(lineStart, stop)
  const shown = Math.min(end - start, LINE_CHARACTERS)
  const wanted = start - Math.floor((LINE_CHARACTERS - shown) / 2)
  const from = Math.max(lineStart, Math.min(wanted, stop - LINE_CHARACTERS))
  return cutText(text, from, from + LINE_CHARACTERS, lineStart, stop)
}

function lineEnd(text: string, from: number): number {
  const at = text.indexOf('\n', from)
  return at < 0 ? text.length : at
}

/** A part of the text between `low` and `high` that splits no character, with `…` where something is left out. */
function cutText(text: string, from: number, to: number, low = 0, high = text.length): string {
  const part = sliceCharacters(text, from, Math.min(to, high))
  return `${from > low ? '…' : ''}${part}${to < high ? '…' : ''}`
}

/** The part of its text that a hit shows. */
export function describeMatch(
  text: string,
  match: TextMatch,
  context = 0,
): Pick<MessageHit, 'matches' | 'snippet' | 'found' | 'line' | 'context'> {
  const { count, start, end } = match
  return {
    matches: count,
    snippet: cutSnippet(text, match),
    found: sliceCharacters(text, start, Math.min(end, start + SNIPPET_CHARACTERS)),
    line: lineAt(text, start),
    ...(context > 0 && { context: contextLines(text, match, Math.min(context, MAX_CONTEXT_LINES)) }),
  }
}

/** A match that ends before this many bytes is shown with everything before it. */
const FROM_START_BYTES = 2_000
/** Characters before a match that are shown at most: up to the beginning of its line. */
const LEAD_CHARACTERS = 400

/** Where to begin to read a text so that a match is seen with what is before it: UTF-8 bytes from its beginning. */
export function readingOffset(text: string, { start, end }: Span): number {
  if (end <= FROM_START_BYTES && Buffer.byteLength(text.slice(0, end)) <= FROM_START_BYTES) return 0
  const line = start === 0 ? 0 : text.lastIndexOf('\n', start - 1) + 1
  const from = Math.max(line, start - LEAD_CHARACTERS, 0)
  // Half of a character would count as three bytes.
  return Buffer.byteLength(sliceCharacters(text, 0, from))
}
