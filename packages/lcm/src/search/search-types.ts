import type { Clock } from '@palimpsest/core'

/**
 * The reading of a query:
 * - `text`: words in all their forms (`parseQuery`), or as prefixes or substrings if they do not occur.
 * - `substring`: the whole query, anywhere in a text.
 * - `regex`: a JavaScript regular expression; `^` and `$` match at line ends.
 */
export type SearchMode = 'text' | 'substring' | 'regex'

/** How a query matched: as given, or by word prefixes or substrings. */
export type SearchLevel = 'asked' | 'prefix' | 'substring'

/** A search query and its bounds. */
export interface SearchQuery {
  readonly query: string
  /** The time of storing, in milliseconds since the epoch: from `since`, inclusive, to `before`, exclusive. */
  readonly since?: number
  readonly before?: number
  /** Default `text`. */
  readonly mode?: SearchMode
  /** Ignores case in `regex`; the other modes always do. Default false. */
  readonly ignoreCase?: boolean
  /** Message numbers, inclusive. Default: all. A summary counts if it covers one of them. */
  readonly first?: number
  readonly last?: number
  /**
   * `relevance` (default for messages in mode `text`): messages with any of the terms, best first. `newest` (default
   * otherwise) and `oldest`: messages with all terms.
   */
  readonly order?: 'newest' | 'oldest' | 'relevance'
  /** Maximum number of hits. Default 10. */
  readonly limit?: number
  /** `next` of an earlier result of the same query, or a message number to continue after. */
  readonly cursor?: string
  /** Messages to show on each side of a hit, at most 10. Default: as many as fit into `characters`. */
  readonly context?: number
  /** Approximate characters of a passage. Default 400. */
  readonly characters?: number
}

export interface MessageSearchQuery extends SearchQuery {
  /** Roles of the messages to search. Default: all. */
  readonly roles?: readonly string[]
  /** True includes messages that the host replaced. Default false. */
  readonly includeReplaced?: boolean
}

export interface SearchContext {
  readonly clock: Clock
  /** Number of messages that are not stored yet and so not searched. Default: none. */
  readonly unsaved?: () => number
  /** True to skip summaries of replaced messages. Default false. */
  readonly hidesReplaced?: boolean
  /** The only reading to try. Default: looser ones too if nothing matches. */
  readonly level?: SearchLevel | undefined
  readonly signal?: AbortSignal | undefined
  /** Time limit of a search, in milliseconds. Default 30,000. */
  readonly timeLimit?: number
}

interface Hit {
  readonly matches: number
  readonly found: string
  readonly line: number
}

/** A message of a passage; `…` marks a cut. */
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
  /** The time of storing, in milliseconds since the epoch. */
  readonly at: number
  /** The matching messages of the passage, in the order of hits. */
  readonly matching: readonly number[]
  readonly passage: readonly PassageLine[]
  readonly replaced: boolean
  /** Offset for `lcm_expand` in UTF-8 bytes; the page from there contains the match. */
  readonly offset: number
  /** The number of the current summary that covers it; null if the message itself is shown. */
  readonly summary: number | null
}

export interface SummaryHit extends Hit {
  readonly text: string
  readonly number: number
  readonly depth: number
  readonly first: number
  readonly last: number
  readonly at: number
}

export interface SearchReading {
  /** The kind of match of the hits. `prefix` or `substring` in mode `text` when no text has the terms as words. */
  readonly matched: 'word' | 'prefix' | 'substring' | 'regex'
  readonly order?: 'relevance'
  /** Ranked hits: words of the query that no message contains. */
  readonly absent?: readonly string[]
}

export interface SearchResult<H> extends SearchReading {
  readonly hits: readonly H[]
  /** The covered range: no message in it matches except the hits. */
  readonly scanned: { readonly messages: number; readonly from: number | null; readonly to: number | null }
  /** Number of replaced messages in the covered range that were skipped, if any. */
  readonly replacedNotSearched?: number
  /** True if this result and the previous pages cover the whole range. */
  readonly complete: boolean
  /** The cursor for the next page; null at the end, or if a slow message cannot be skipped. */
  readonly next: string | null
  readonly stopped?: string
}

/** Characters of a passage: enough for a fact with its context. */
export const PASSAGE_CHARACTERS = 400
export const DEFAULT_HITS = 10
/** Time limit of a search, in milliseconds: a few times what a million messages take. */
export const SEARCH_TIME_LIMIT = 30_000
