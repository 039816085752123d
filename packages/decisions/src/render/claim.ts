import type { Decision } from '../log/decision.ts'
import type { Source } from '../log/source.ts'

/**
 * Whether a decision says how something is, and not what to choose: it stands under its category whoever said it, where a
 * choice that was only proposed does not.
 */
export function isFact({ category, slot }: Pick<Decision, 'category' | 'slot'>): boolean {
  return category !== 'decisions' || slot === 'fact' || slot.startsWith('fact:')
}

/** The claimant of something unconfirmed. */
export function claimant(source: Source | undefined): string {
  if (source?.role === 'assistant') return 'said by the assistant, not confirmed'
  return source?.role === 'user' ? 'raised by the user, not decided' : 'not confirmed'
}
