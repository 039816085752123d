import type { Choice } from '../log/decision-event.ts'
import { normalValue } from '../log/normal-text.ts'
import { findTechnologies } from '../slots/find-technologies.ts'
import { sameValue } from '../slots/slots.ts'
import { escapePattern } from './escape-pattern.ts'

/**
 * Whether a text names a choice: by its letters, where they are not a part of another word or number, or by another spelling of
 * the same thing (`postgres` for PostgreSQL).
 */
export function namesValue(text: string, { slot, choice }: Pick<Choice, 'slot' | 'choice'>): boolean {
  const value = normalValue(choice)
  if (value === '') return false
  const alone = new RegExp(`(?<![a-z\\d])${escapePattern(value)}(?![a-z\\d])`, 'u')
  return (
    alone.test(normalValue(text)) ||
    findTechnologies(text).some((found) => sameValue(slot, found.value, choice))
  )
}
