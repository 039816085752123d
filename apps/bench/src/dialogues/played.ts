import type { Contest, Item } from './dialogue.ts'

/** What one arm showed the model in one dialogue. */
export interface Played {
  readonly probes: readonly ProbeResult[]
  /** Tokens of the messages of each request. */
  readonly tokens: readonly number[]
  readonly compactions: number
  readonly warnings: Readonly<Record<string, number>>
}

/** What the model had before it when it was asked about a topic. */
export interface ProbeResult {
  /** Tokens of the prompt's messages, and of the tools beside them. */
  readonly tokens: number
  readonly toolTokens: number
  readonly items: readonly ItemResult[]
  /** Of what came up before, without the topic that is asked about: how many titles stand in the prompt. */
  readonly raised: { readonly found: number; readonly n: number }
  /** Whether all numbers of the topic's function stand in the prompt; null while one of them is not settled. */
  readonly isFunctionComplete: boolean | null
  readonly contests: readonly ContestResult[]
  readonly trail: Trail
}

/** Whether the model had an item before it when it was asked. */
export interface ItemResult {
  readonly item: Item
  readonly isShown: boolean
  /** In the prompt, or in the answer of one call of a tool. */
  readonly isReached: boolean
  /** The corrected value is shown without the one that holds beside it; null for an item that was never wrong. */
  readonly isStale: boolean | null
  /** The value that holds is what the prompt says last about the subject; null for an item that was never wrong. */
  readonly isCurrent: boolean | null
  /** It is said to be in conflict with something, in the prompt or in the answer of one call. It is not. */
  readonly isFlagged: boolean
}

/** Whether the model was told that two values are in conflict. */
export interface ContestResult {
  readonly contest: Contest
  /** In the prompt. */
  readonly isFlagged: boolean
  /** In the prompt, or in the answer of one call. */
  readonly isFlaggedWithTools: boolean
}

/** Files that calls changed before a question, and those that the prompt presents as changed. */
export interface Trail {
  readonly changed: number
  readonly presented: number
  /** Presented and changed. */
  readonly right: number
}
