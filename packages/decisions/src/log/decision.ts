import type { Authority, Finder, Scope, Statement } from './decision-event.ts'
import type { Source } from './source.ts'

export type DecisionStatus = 'active' | 'proposed' | 'superseded' | 'retracted'

/** The present state of one decision. */
export interface Decision extends Statement {
  readonly id: string
  readonly scope: Scope
  readonly status: DecisionStatus
  /** The strongest word that it rests on. */
  readonly authority: Authority
  /** Who found the words of that authority. */
  readonly by: Finder
  /** The first source and every confirmation, in order; at least one. */
  readonly sources: readonly Source[]
  /** Clauses that merges added, in order. */
  readonly merged: readonly { readonly text: string; readonly authority: Authority }[]
  /** Why and where it ended. */
  readonly ended?: { readonly source: Source; readonly reason?: string }
  /** Ids of the decisions whose place it took. */
  readonly supersedes: readonly string[]
  /** The id of the decision that took its place. */
  readonly supersededBy?: string
  /** Ids of other values of its subject that the user stated too, without saying which one holds. */
  readonly contestedBy: readonly string[]
  /** Milliseconds since the epoch: the first and the last event. */
  readonly firstAt: number
  readonly lastAt: number
}

export function isContested({ contestedBy }: Pick<Decision, 'contestedBy'>): boolean {
  return contestedBy.length > 0
}

/** The words that a decision rests on: the user's, where the user stated or accepted it. */
export function decidingSource({ authority, sources }: Pick<Decision, 'authority' | 'sources'>): Source {
  const own = authority === 'proposed' ? undefined : sources.find(({ role }) => role === 'user')
  return own ?? (sources[0] as Source)
}
