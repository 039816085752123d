import type { Clock } from '@palimpsest/core'
import type { Frontier } from '../store/frontier.ts'
import type { SessionHead } from '../store/lcm-session.ts'
import type { TimeBounds } from './time-bounds.ts'

/**
 * How a query is read:
 * - `text`: all terms, words as whole words; as substrings if no message has them as words. See `parseQuery`.
 * - `substring`: the whole query as it is, anywhere in a text.
 * - `regex`: a regular expression in JavaScript's syntax, line by line for `^` and `$`.
 */
export type SearchMode = 'text' | 'substring' | 'regex'

/** What to search for, and where. */
export interface SearchQuery extends TimeBounds {
  readonly query: string
  /** Default `text`. */
  readonly mode?: SearchMode
  /** For `regex`; the other modes always take upper and lower case alike. Default true. */
  readonly ignoreCase?: boolean
  /** Message numbers, inclusive. Default: all. A summary counts when it covers one of them. */
  readonly first?: number
  readonly last?: number
  /** Default `newest`. */
  readonly order?: 'newest' | 'oldest'
  /** Hits at most. Default 10. */
  readonly limit?: number
  /** `next` of an earlier result of the same query, or a message number to go on behind. */
  readonly cursor?: string
  /** Lines to show before and behind the line of a match. Default 0, at most 5. */
  readonly context?: number
}

/** What to search for among messages. */
export interface MessageSearchQuery extends SearchQuery {
  /** Only messages of these roles. Default: all. */
  readonly roles?: readonly string[]
  /** Messages too that the host replaced. Default false. */
  readonly includeReplaced?: boolean
}

/** What a search has to know of a session's head. */
export type KnownHead = Pick<SessionHead, 'nextSeq' | 'nextSummary' | 'replaced'>

/** What a search runs with. */
export interface SearchContext {
  readonly clock: Clock
  /** The session's head, when the caller has it in memory. Default: the session is asked. */
  readonly head?: () => Promise<KnownHead>
  /** The current frontier, when the caller has it in memory. Default: the session's. */
  readonly frontier?: () => Promise<Frontier>
  readonly signal?: AbortSignal | undefined
  /** Milliseconds until a search stops and says where. Default 30,000. */
  readonly timeLimit?: number
  /** Milliseconds that a pattern may take on one message. Default 250. */
  readonly messageTimeLimit?: number
}

interface Hit {
  /** Occurrences in the text. */
  readonly matches: number
  /** What stands around the first occurrence, or around the closest occurrences of all terms. */
  readonly snippet: string
  /** The occurrence itself, as much of it as a snippet shows. */
  readonly found: string
  /** The line of the occurrence, from 1. */
  readonly line: number
  /** Offset and length of the occurrence in the text, in UTF-16 code units. */
  readonly position: { readonly start: number; readonly length: number }
  /** The line with its neighbours, when lines of context were asked for. */
  readonly context?: string
}

/** A message that matches. */
export interface MessageHit extends Hit {
  readonly seq: number
  readonly role: string
  /** When it was stored, in milliseconds since the epoch. */
  readonly at: number
  readonly replaced: boolean
  /** The number of the summary of the frontier that covers it; null when it is shown itself. */
  readonly summary: number | null
}

/** A summary that matches. */
export interface SummaryHit extends Hit {
  readonly number: number
  readonly depth: number
  /** The messages that it covers. */
  readonly first: number
  readonly last: number
  readonly at: number
}

/** One page of a search. */
export interface SearchResult<H> {
  readonly hits: readonly H[]
  /** How the hits match. `substring` in mode `text` when no message has the terms as whole words. */
  readonly matched: 'word' | 'substring' | 'regex'
  /** What was really covered, by an index or by reading: no message in it matches but the hits. */
  readonly scanned: { readonly messages: number; readonly from: number | null; readonly to: number | null }
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
