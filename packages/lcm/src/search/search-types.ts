import type { Clock } from '@palimpsest/core'

/**
 * The reading of a query:
 * - `text`: words in all their forms (`parseQuery`); one that does not occur, as a beginning, then as a part of a word.
 * - `substring`: the whole query as it is, anywhere in a text.
 * - `regex`: a regular expression in JavaScript's syntax, line by line for `^` and `$`.
 */
export type SearchMode = 'text' | 'substring' | 'regex'

/** How a query matched: as given, or by word prefixes or substrings. */
export type SearchLevel = 'asked' | 'prefix' | 'substring'

/** A search, and its place. */
export interface SearchQuery {
  readonly query: string
  /**
   * Milliseconds since the epoch: from `since`, inclusive, to `before`, exclusive. A message that begins with a date counts with
   * that date (`saidDate`), any other with the time at which it was stored.
   */
  readonly since?: number
  readonly before?: number
  /** Default `text`. */
  readonly mode?: SearchMode
  /** Only for `regex`; the other modes always ignore case. Default false. */
  readonly ignoreCase?: boolean
  /** Message numbers, inclusive. Default: all. A summary counts when it covers one of them. */
  readonly first?: number
  readonly last?: number
  /**
   * `relevance`, the default among messages in the mode `text`: messages with any of the terms, the best first. `newest`, the
   * default else, and `oldest`: those with all terms.
   */
  readonly order?: 'newest' | 'oldest' | 'relevance'
  /** Hits at most. Default 10. */
  readonly limit?: number
  /** `next` of an earlier result of the same query, or a message number to continue after. */
  readonly cursor?: string
  /** Messages to show on each side of a hit, at most 10. Default: what a passage of `characters` has room for. */
  readonly context?: number
  /** Characters of a passage, about. Default 400. */
  readonly characters?: number
}

export interface MessageSearchQuery extends SearchQuery {
  /** Only messages of these roles. Default: all. */
  readonly roles?: readonly string[]
  /** Messages too that the host replaced. Default false. */
  readonly includeReplaced?: boolean
}

export interface SearchContext {
  readonly clock: Clock
  /** Messages that could not be stored yet, so that a search misses them. Default: none. */
  readonly unsaved?: () => number
  /** True to skip summaries of replaced messages. Default false. */
  readonly hidesReplaced?: boolean
  /** The only reading of the query to try. Default: looser ones too, when nothing matches. */
  readonly level?: SearchLevel | undefined
  readonly signal?: AbortSignal | undefined
  /** Milliseconds until a search stops and says where. Default 30,000. */
  readonly timeLimit?: number
  /** Milliseconds that a pattern may take on one message. Default 250. */
  readonly messageTimeLimit?: number
}

interface Hit {
  readonly matches: number
  /** The first occurrence, or the closest occurrences of the terms, as much of it as a passage shows. */
  readonly found: string
  /** The line of the occurrence, from 1. */
  readonly line: number
}

/** A message of a passage; `…` marks a cut. A date that opens it is left out where it opens the message before, too. */
export interface PassageLine {
  readonly seq: number
  readonly role: string
  readonly at: number
  readonly text: string
}

/** A matching message with its context. Matching neighbours are in the same passage. */
export interface MessageHit extends Hit {
  readonly seq: number
  readonly role: string
  /** When it was stored, in milliseconds since the epoch. */
  readonly at: number
  /** The date that the message begins with, if it does, in milliseconds since the epoch. */
  readonly said?: number
  /** The messages of the passage that match, in the order of the hits. */
  readonly matching: readonly number[]
  readonly passage: readonly PassageLine[]
  readonly replaced: boolean
  /** Offset for `lcm_expand` in UTF-8 bytes; the page from there contains the match. */
  readonly offset: number
  /** The number of the summary of the frontier that covers it; null when it is shown itself. */
  readonly summary: number | null
}

export interface SummaryHit extends Hit {
  /** The text around the occurrence. */
  readonly text: string
  readonly number: number
  readonly depth: number
  /** The messages that it covers. */
  readonly first: number
  readonly last: number
  readonly at: number
}

export interface SearchReading {
  /** The kind of match of the hits. `prefix` or `substring` in mode `text` when no text has the terms as words. */
  readonly matched: 'word' | 'prefix' | 'substring' | 'regex'
  /** The hits are ranked: the best first. */
  readonly order?: 'relevance'
  /** Ranked hits: words of the query that occur in no message. */
  readonly absent?: readonly string[]
}

export interface SearchResult<H> extends SearchReading {
  readonly hits: readonly H[]
  /** The range that was covered, by an index or by reading: no message in it matches but the hits. */
  readonly scanned: { readonly messages: number; readonly from: number | null; readonly to: number | null }
  /** Replaced messages between those that were covered, which were left out; when there are any. */
  readonly replacedNotSearched?: number
  /** True when the whole range was covered, this result and the ones before it together. */
  readonly complete: boolean
  /** Where to continue; null at the end, or if a slow message cannot be skipped. */
  readonly next: string | null
  /** Why the search stopped early. */
  readonly stopped?: string
}

/** Characters of a passage: enough for a fact with its context. */
export const PASSAGE_CHARACTERS = 400
/** Default number of hits. */
export const DEFAULT_HITS = 10
/** Milliseconds until a search stops: a few times what reading a million messages takes. */
export const SEARCH_TIME_LIMIT = 30_000
