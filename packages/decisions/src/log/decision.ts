import type { Authority } from './authority.ts'
import type { Choice, Finder, Scope } from './decision-event.ts'
import type { Source } from './source.ts'

/** `proposed`: nobody has taken it up yet. */
export type DecisionStatus = 'active' | 'proposed' | 'superseded' | 'retracted'

/** What the log says of one decision by now. */
export interface Decision extends Choice {
  readonly id: string
  readonly scope: Scope
  readonly status: DecisionStatus
  /** The strongest authority behind it. */
  readonly authority: Authority
  readonly by: Finder
  /** Where it was said first, and every place that confirmed it since, in order; at least one. */
  readonly sources: readonly Source[]
  /** Why it is over, and where that was said. */
  readonly ended?: { readonly source: Source; readonly reason?: string }
  /** The decisions whose place it took, with the part if only a part. */
  readonly supersedes: readonly SupersededLink[]
  /** The decisions that took its place; while it is active, each of them in a part only. */
  readonly supersededBy: readonly SupersededLink[]
  /** Active decisions on the same slot and area with another value: nobody said which one holds. */
  readonly contestedBy: readonly string[]
  /** The superseded or retracted decision that it rests on, until it is reaffirmed. */
  readonly suspectOf?: string
  /** Milliseconds since the epoch: the first and the last event. */
  readonly firstAt: number
  readonly lastAt: number
}

export interface SupersededLink {
  readonly id: string
  readonly area?: string
  readonly source: Source
  readonly reason?: string
}
