import type { Clock } from '@palimpsest/core'

/**
 * The reading of a query:
 * - `text`: all terms, words as whole words (`parseQuery`); if no message has them so, as substrings.
 * - `substring`: the whole query as it is, anywhere in a text.
 * - `regex`: a regular expression in JavaScript's syntax, line by line for `^` and `$`.
 */
export type SearchMode = 'text' | 'substring' | 'regex'

/** The reading of a query: as it was asked, or its words as parts of words. */
export type SearchLevel = 'asked' | 'substring'

/** A search, and its place. */
export interface SearchQuery {
  readonly query: string
  /** Milliseconds since the epoch: from `since`, inclusive, to `before`, exclusive. */
  readonly since?: number
  readonly before?: number
  /** Default `text`. */
  readonly mode?: SearchMode
  /** For `regex`; the other modes always take upper and lower case alike. Default true. */
  readonly ignoreCase?: boolean
  /** Message numbers, inclusive. Default: all. A summary counts when it covers one of them. */
  readonly first?: number
  readonly last?: number
  /**
   * Default: `newest`; among messages, `relevance` when none has all terms. `relevance` weighs messages that hold any of the
   * terms by the rarity and closeness of those that they hold, in the mode `text`.
   */
  readonly order?: 'newest' | 'oldest' | 'relevance'
  /** Hits at most. Default 10. */
  readonly limit?: number
  /** `next` of an earlier result of the same query, or a message number to go on after. */
  readonly cursor?: string
  /** Lines to show before and after the line of a match. Default 0, at most 5. */
  readonly context?: number
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
  /** Whether summaries of replaced messages are passed over. Default false. */
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
  /** The text around the first occurrence, or around the closest occurrences of all terms. */
  readonly snippet: string
  /** The occurrence itself, as much of it as a snippet shows. */
  readonly found: string
  /** The line of the occurrence, from 1. */
  readonly line: number
  /** The line with its neighbours, when lines of context were asked for. */
  readonly context?: string
}

export interface MessageHit extends Hit {
  readonly seq: number
  readonly role: string
  /** When it was stored, in milliseconds since the epoch. */
  readonly at: number
  readonly replaced: boolean
  /** Where to begin to read the message's text with `lcm_expand`, in UTF-8 bytes: that page has the match. */
  readonly offset: number
  /** The number of the summary of the frontier that covers it; null when it is shown itself. */
  readonly summary: number | null
  /** Ranked hits: the terms that the message holds. */
  readonly terms?: readonly string[]
}

export interface SummaryHit extends Hit {
  readonly number: number
  readonly depth: number
  /** The messages that it covers. */
  readonly first: number
  readonly last: number
  readonly at: number
}

export interface SearchReading {
  /** The kind of match of the hits. `substring` in mode `text` when no message has the terms as whole words. */
  readonly matched: 'word' | 'substring' | 'regex'
  /** The hits are ranked: the best first. */
  readonly order?: 'relevance'
}

export interface SearchResult<H> extends SearchReading {
  readonly hits: readonly H[]
  /** The range that was covered, by an index or by reading: no message in it matches but the hits. */
  readonly scanned: { readonly messages: number; readonly from: number | null; readonly to: number | null }
  /** Replaced messages between those that were covered, which were left out; when there are any. */
  readonly replacedNotSearched?: number
  /** True when the whole range was covered, this result and the ones before it together. */
  readonly complete: boolean
  /** Where to go on; null when there is nothing left, or no way past a message that took too long. */
  readonly next: string | null
  /** Why the search stopped early. */
  readonly stopped?: string
}

/** Hits of a result unless told otherwise. */
export const DEFAULT_HITS = 10
/** Milliseconds until a search stops: a few times what reading a million messages takes. */
export const SEARCH_TIME_LIMIT = 30_000
