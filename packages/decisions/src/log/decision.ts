import type { Authority, Finder, Scope, Statement } from './decision-event.ts'
import type { Source } from './source.ts'

export type DecisionStatus = 'active' | 'proposed' | 'superseded' | 'retracted'

/** The present state of one decision. */
export interface Decision extends Statement {
  readonly id: string
  readonly scope: Scope
  readonly status: DecisionStatus
  /** The strongest authority of its sources. */
  readonly authority: Authority
  /** The finder of the words with that authority. */
  readonly by: Finder
  /** The first source and every confirmation, in order. */
  readonly sources: readonly Source[]
  readonly merged: readonly { readonly text: string; readonly authority: Authority }[]
  readonly ended?: { readonly source: Source; readonly reason?: string }
  /** Ids of the decisions that it replaced. */
  readonly supersedes: readonly string[]
  /** The id of the decision that replaced it. */
  readonly supersededBy?: string
  /** Ids of conflicting values that the user also stated, without saying which one is valid. */
  readonly contestedBy: readonly string[]
  /** Milliseconds since the epoch: the first and the last event. */
  readonly firstAt: number
  readonly lastAt: number
}

export function isContested({ contestedBy }: Pick<Decision, 'contestedBy'>): boolean {
  return contestedBy.length > 0
}

/** The source that decides: the user's words, if the user stated or accepted the decision. */
export function decidingSource({ authority, sources }: Pick<Decision, 'authority' | 'sources'>): Source {
  const own = authority === 'proposed' ? undefined : sources.find(({ role }) => role === 'user')
  return own ?? (sources[0] as Source)
}
