import type { Message, ToolSchema } from './message.ts'

/** The time that a provider keeps what it has stored: `5m` and `1h` at Anthropic, `30m` at OpenAI. */
export type CacheTtl = '5m' | '1h' | '30m'

/**
 * Where a breakpoint stands: at the end of a tool, of a block of the system prompt, or of a block of a message.
 * Blocks are numbered as the provider counts them: parts of the content, then calls of tools.
 */
export type CacheRef =
  | { readonly at: 'tool'; readonly index: number }
  | { readonly at: 'system'; readonly block: number }
  | { readonly at: 'message'; readonly index: number; readonly block: number }

export interface CacheAnchor {
  readonly ref: CacheRef
  readonly ttl: CacheTtl
  /** Kebab-case: what it is for. */
  readonly reason: string
}

/** The tokens of a prompt by class, and their price. The four classes sum to the prompt. */
export interface CacheBill {
  readonly read: number
  /** Written for the short lifetime of the provider: 5 minutes at Anthropic, 30 at OpenAI. */
  readonly write5m: number
  /** Written for the long lifetime: an hour at Anthropic. */
  readonly write1h: number
  readonly uncached: number
  /** The prompt, in US dollars. */
  readonly usd: number
}

/** Breakpoints for one request. Plain data: rendering it for a provider is a separate step. */
export interface CachePlan {
  /** In the order of the prompt. */
  readonly anchors: readonly CacheAnchor[]
  readonly expected: CacheBill
  /** As in the call: where the first block of the system prompt ends. Absent when it is one block. */
  readonly staticSystem?: number
}

export interface CachePlanCall {
  /** The whole prompt, the system prompt first. */
  readonly messages: readonly Message[]
  readonly tools: readonly ToolSchema[]
  /**
   * Characters of the system prompt, from its beginning, that stay the same when an engine appends a note to it.
   * Default: all of it.
   */
  readonly staticSystem?: number
  /** False when no other request will begin with this one. Default true. */
  readonly followUp?: boolean
}

/** Places breakpoints for the requests of one session, one after the other, and knows what the provider holds. */
export interface CachePlanner {
  /** The breakpoints for a request that is sent now. */
  plan(call: CachePlanCall): CachePlan
  /** Whether the provider still holds something of the last prompt. */
  isWarm(): boolean
  /**
   * Another conversation, of which nothing is cached; or, if a name is given, the model that the conversation goes on
   * with: nothing is cached there, unless it is the same.
   */
  reset(model?: string): void
}
