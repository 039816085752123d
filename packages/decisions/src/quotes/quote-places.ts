import type { Stretch } from '../extract/spoken-lines.ts'
import { escapePattern } from './escape-pattern.ts'

/** Places that are looked at, the last ones: what is said more often than that is no quote. */
const MAX_PLACES = 16

/** Where a text has a quote: word for word, but for white space and the case of letters. In order. */
export function quotePlaces(text: string, quote: string): Stretch[] {
  const trimmed = quote.trim()
  if (trimmed === '') return []
  const pattern = new RegExp(trimmed.split(/\s+/).map(escapePattern).join('\\s+'), 'giu')
  const places: Stretch[] = []
  for (const { index, 0: found } of text.matchAll(pattern)) {
    places.push({ start: index, end: index + found.length })
    if (places.length > MAX_PLACES) places.shift()
  }
  return places
}
