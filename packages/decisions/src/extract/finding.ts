import type { Stretch } from './spoken-lines.ts'

/** Whose words are read: a user decides, an assistant proposes. */
export type Voice = 'user' | 'assistant'

/** The content of a clause, before it is known who says it. Offsets are of the message's text. */
export interface Finding extends Stretch {
  /** `end`: it no longer holds. */
  readonly kind: 'choice' | 'end'
  readonly slot: string
  readonly value: string
  readonly area: string
  readonly isChange: boolean
  /** The value that was named as the old or the refused one. */
  readonly replaces?: string
  readonly reason?: string
  /** True for both findings of a refusal: the end, and the rule not to use it. */
  readonly isRefusal?: boolean
  /** True when no word says what a technology is for: its slot is the usual one. */
  readonly isUsualSlot?: boolean
}
