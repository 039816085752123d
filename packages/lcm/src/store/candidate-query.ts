/**
 * A term that a row must hold, upper and lower case alike:
 * - `word`: the text as a whole word; letters, digits and underscores make a word.
 * - `prefix`: a word that begins with the text.
 * - `substring`: the text anywhere.
 */
export interface SearchTerm {
  readonly kind: 'word' | 'prefix' | 'substring'
  readonly text: string
}

/** A run of rows that a search has to look at. */
export interface CandidateQuery {
  /** A row must match one term of each list. Empty: every row. */
  readonly where: readonly (readonly SearchTerm[])[]
  /** Bounds, inclusive: message numbers, or summary numbers. Default: all. */
  readonly first?: number
  readonly last?: number
  readonly order: 'newest' | 'oldest'
  /** Rows at most. Fewer rows than this mean that there are no more. */
  readonly limit: number
  /** Replaced messages too. Default false. */
  readonly includeReplaced?: boolean
}

/** A question to a session before all of it is searched. */
export interface SessionMatch {
  /** As in `CandidateQuery`. */
  readonly where: readonly (readonly SearchTerm[])[]
  readonly among: 'messages' | 'summaries' | 'both'
}

/**
 * A message that may match. A store may return rows that do not match, because its index is coarser than the
 * question; it never leaves out one that does. Who asks looks at the text itself.
 */
export interface MessageCandidate {
  readonly seq: number
  readonly role: string
  readonly at: number
  readonly text: string
  readonly replaced: boolean
}

/** A summary that may match. Every summary of the session counts, those too that stand behind a condensed one. */
export interface SummaryCandidate {
  readonly number: number
  readonly depth: number
  readonly first: number
  readonly last: number
  readonly at: number
  readonly text: string
}
