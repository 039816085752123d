import type { Authority, Choice, Finder, MergedWords, Scope } from './decision-event.ts'
import type { Source } from './source.ts'

/** `proposed`: not taken up yet. */
export type DecisionStatus = 'active' | 'proposed' | 'superseded' | 'retracted'

/** The present state of one decision. */
export interface Decision extends Choice {
  readonly id: string
  readonly scope: Scope
  readonly status: DecisionStatus
  /** The strongest authority behind it. */
  readonly authority: Authority
  /** The finder of the words that this authority rests on. */
  readonly by: Finder
  /** Where it was said first, and every place that confirmed it since, in order; at least one. */
  readonly sources: readonly Source[]
  /** Clauses that merges added to it, in order; their sources are among `sources` too. */
  readonly merged: readonly MergedClause[]
  /** Why it is over, and where that was said. */
  readonly ended?: { readonly source: Source; readonly reason?: string }
  /** The decisions whose place it took, with the part if only a part. */
  readonly supersedes: readonly SupersededLink[]
  /** The decisions that took its place; while it is active, each of them in a part only. */
  readonly supersededBy: readonly SupersededLink[]
  /** Active decisions on the same slot and area with another value: no one said which one holds. */
  readonly contestedBy: readonly string[]
  /** Remarks since the user stated it last that leave open whether it holds, in order: see the event `remarked`. */
  readonly remarks: readonly Source[]
  /** The superseded or retracted decision that it rests on, until it is reaffirmed. */
  readonly suspectOf?: string
  /** Milliseconds since the epoch: the first and the last event. */
  readonly firstAt: number
  readonly lastAt: number
}

export interface MergedClause extends MergedWords {
  readonly source: Source
  /** On whose word: a `proposed` one is a claim, also where the decision is the user's. */
  readonly authority: Authority
}

export interface SupersededLink {
  readonly id: string
  readonly area?: string
  readonly source: Source
  readonly reason?: string
}

/** Whether a decision that stands is in doubt: another one is held against it, or a remark is. */
export function isContested({ contestedBy, remarks }: Pick<Decision, 'contestedBy' | 'remarks'>): boolean {
  return contestedBy.length + remarks.length > 0
}

/** Whether it is no more than the user's words on a slot in which nothing holds. */
export function isRemark({ slot }: Pick<Decision, 'slot'>): boolean {
  return slot.startsWith('remark:')
}

/** The decisions that a log amounts to. */
export interface DecisionSet {
  /** In the order of their first events. */
  readonly all: readonly Decision[]
  /**
   * Ids in the order in which decisions began or changed, some more than once; another list when they were worked out anew.
   * A set without it is read as a whole each time.
   */
  readonly changes?: readonly string[]
  get(id: string): Decision | undefined
  /** Active and proposed ones of a slot, in any area. */
  ofSlot(slot: string): readonly Decision[]
}

/**
 * The reader that calls a decision one: `rules`, which take the user's plain words only, a `model` that read
 * the turns again, the agent's model that `recorded` it with `decisions_record`, the `host`, or a file that was
 * `imported`. A `remark` is the user's words that say nothing plainly.
 */
export type Tier = 'rules' | 'model' | 'recorded' | 'host' | 'imported' | 'remark'

export function tierOf({ slot, by }: Pick<Decision, 'slot' | 'by'>): Tier {
  if (isRemark({ slot })) return 'remark'
  if (by === 'import') return 'imported'
  return by === 'tool' ? 'recorded' : by
}
