import type { Contest, Decoy, Item } from './dialogue.ts'
import type { PlantedNeedle } from './plant-needles.ts'

/** What one arm showed the model in one dialogue. */
export interface Played {
  readonly seed: number
  readonly probes: readonly ProbeResult[]
  readonly needles: readonly NeedleResult[]
  /** Of each request behind the first: tokens shared with the request before, as a share of that request. */
  readonly stability: readonly number[]
  /** Tokens of the messages of each request. */
  readonly tokens: readonly number[]
  readonly compactions: number
  readonly warnings: Readonly<Record<string, number>>
}

/** What the model had before it when it was asked about a topic. */
export interface ProbeResult {
  /** Index of the question. */
  readonly message: number
  readonly title: string
  /** Tokens of the prompt's messages, and of the tools beside them. */
  readonly tokens: number
  readonly toolTokens: number
  readonly items: readonly ItemResult[]
  readonly names: { readonly found: number; readonly n: number }
  readonly contests: readonly ContestResult[]
  readonly decoy: DecoyResult
  readonly trail: Trail
}

/** By tool. */
export type ByTool<T> = Readonly<Record<string, T>>

/** How a searcher fared with one tool. */
export interface Found {
  /** Calls that it took: 0 for what is in the prompt; null when none found it. */
  readonly calls: number | null
  /** Tokens of the answers to all calls; 0 for what is in the prompt. */
  readonly tokens: number
}

/** Whether the model had an item before it when it was asked. */
export interface ItemResult {
  readonly item: Item
  /** It was settled before the part of the conversation that would fit into the budget. */
  readonly isEarly: boolean
  readonly isShown: boolean
  /** Where in the prompt it stands for the last time, as a share of the prompt's tokens; null when it does not. */
  readonly position: number | null
  /** The corrected value is shown without the one that holds beside it; null for an item that was never wrong. */
  readonly isStale: boolean | null
  /** The value that holds is what the prompt says last about the subject; null for an item that was never wrong. */
  readonly isCurrent: boolean | null
  /** It is said to be in conflict with something, in the prompt or in the answer of one call. It is not. */
  readonly isFlagged: boolean
  readonly searches: ByTool<Found>
}

/** Whether the model was told that two values are in conflict. */
export interface ContestResult {
  readonly contest: Contest
  /** In the prompt. */
  readonly isFlagged: boolean
  /** In the prompt, or in the answer of one call. */
  readonly isFlaggedWithTools: boolean
}

/** Whether anything could be taken for the answer to a question that has none. */
export interface DecoyResult {
  readonly decoy: Decoy
  /** In the prompt. */
  readonly isAnswered: boolean
  /** In the prompt, or in the answer of one call. */
  readonly isAnsweredWithTools: boolean
}

/** The files that the prompt presents as changed against those that calls changed. */
export interface Trail {
  readonly changed: number
  readonly presented: number
  /** Of those that are presented. */
  readonly right: number
}

/** Whether a planted fact was before the model at the last question. */
export interface NeedleResult {
  readonly needle: PlantedNeedle
  readonly isShown: boolean
  readonly searches: ByTool<Found>
}
