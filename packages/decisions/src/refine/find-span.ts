import type { Span } from '../candidates/candidate.ts'
import type { SourceMessage } from '../candidates/source-message.ts'

/**
 * Where a message says a quote: word for word, or with other white space between the words. Never by likeness, and linear
 * in both texts.
 */
export function findSpan({ message, text }: SourceMessage, quote: string): Span | undefined {
  const wanted = quote.trim()
  if (wanted === '') return undefined
  const exact = text.indexOf(wanted)
  if (exact >= 0) return { message, start: exact, end: exact + wanted.length }
  const { flat, places } = flatten(text)
  const sought = wanted.replace(/\s+/g, ' ')
  const found = flat.indexOf(sought)
  const [start, last] = [places[found], places[found + sought.length - 1]]
  return start === undefined || last === undefined ? undefined : { message, start, end: last + 1 }
}

/** A text with one space for each stretch of white space, and where each of its characters stood. */
function flatten(text: string): { readonly flat: string; readonly places: readonly number[] } {
  const places: number[] = []
  let flat = ''
  for (const { index, 0: piece } of text.matchAll(/\s+|\S+/g)) {
    const isSpace = piece.trim() === ''
    flat += isSpace ? ' ' : piece
    const length = isSpace ? 1 : piece.length
    for (let offset = 0; offset < length; offset++) places.push(index + offset)
  }
  return { flat, places }
}
