import type { Message, ToolSchema } from './message.ts'

/** The time for which a provider keeps a cached prompt: `5m` and `1h` at Anthropic, `30m` at OpenAI. */
export type CacheTtl = '5m' | '1h' | '30m'

/**
 * The place of a breakpoint: the end of a tool, of a block of the system prompt, or of a block of a message. Blocks are
 * numbered as the provider counts them: content parts, then tool calls.
 */
export type CacheRef =
  | { readonly at: 'tool'; readonly index: number }
  | { readonly at: 'system'; readonly block: number }
  | { readonly at: 'message'; readonly index: number; readonly block: number }

export interface CacheBreakpoint {
  readonly ref: CacheRef
  readonly ttl: CacheTtl
  /** The purpose, in kebab-case. */
  readonly reason: string
}

/** The tokens of a prompt by class, and their price. The four classes add up to the prompt. */
export interface CacheBill {
  readonly read: number
  /** Tokens written for the short lifetime: 5 minutes at Anthropic, 30 at OpenAI. */
  readonly write5m: number
  /** Tokens written for the long lifetime: an hour at Anthropic. */
  readonly write1h: number
  readonly uncached: number
  readonly usd: number
}

/** The breakpoints of one request, as plain data; rendering them for a provider is a separate step. */
export interface CachePlan {
  readonly breakpoints: readonly CacheBreakpoint[]
  readonly expected: CacheBill
  /** The end of the first block of the system prompt, as in the call. Absent if it is one block. */
  readonly staticSystem?: number
}

export interface CachePlanCall {
  readonly messages: readonly Message[]
  readonly tools: readonly ToolSchema[]
  /**
   * Number of characters at the start of the system prompt that stay the same when an engine appends a note. Default:
   * all.
   */
  readonly staticSystem?: number
  /** False if no later request will start with this one. Default true. */
  readonly followUp?: boolean
}

/** Places breakpoints for successive requests of one session, and tracks the provider's cache. */
export interface CachePlanner {
  plan(call: CachePlanCall): CachePlan
  /** True if the provider still caches part of the last prompt. */
  isWarm(): boolean
  /** Forgets the cache, for a new conversation; or, if a name is given, for a change to another model. */
  reset(model?: string): void
}
