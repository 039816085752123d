import type { Stretch } from '../extract/spoken-lines.ts'
import type { Choice } from '../log/decision-event.ts'
import { normalValue } from '../log/normal-text.ts'
import { findTechnologies } from '../slots/find-technologies.ts'
import { sameValue } from '../slots/slots.ts'

/** A value where a text names it. */
export interface Mentions {
  /** The text as `normalValue` writes it. */
  readonly flat: string
  /** Places in `flat`. */
  readonly places: readonly Stretch[]
}

/**
 * Where a text names a choice: by its letters, where they are not a part of another word or number, or by another spelling of
 * the same thing (`postgres` for PostgreSQL).
 */
export function mentionsOf(text: string, { slot, choice }: Pick<Choice, 'slot' | 'choice'>): Mentions {
  const flat = normalValue(text)
  const spellings = findTechnologies(text)
    .filter(({ value }) => sameValue(slot, value, choice))
    .map(({ start, end }) => text.slice(start, end))
  const written = new Set([choice, ...spellings].map(normalValue).filter((spelling) => spelling !== ''))
  return { flat, places: [...written].flatMap((spelling) => placesOf(flat, spelling)) }
}

/** Whether a text names a choice. */
export function namesValue(text: string, choice: Pick<Choice, 'slot' | 'choice'>): boolean {
  return mentionsOf(text, choice).places.length > 0
}

function placesOf(flat: string, spelling: string): Stretch[] {
  const alone = new RegExp(`(?<![a-z\\d])${escapePattern(spelling)}(?![a-z\\d])`, 'gu')
  return [...flat.matchAll(alone)].map(({ index }) => ({ start: index, end: index + spelling.length }))
}

/** A text as the part of a regular expression with flag `u` that matches it. */
export function escapePattern(text: string): string {
  return text.toWellFormed().replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
}
