import type { Arm } from '../arms/arm.ts'
import type { Estimate } from '../bootstrap.ts'
import type { ItemKind } from './dialogue.ts'
import type { ByTool } from './played.ts'

/** What an arm did over all dialogues at one budget. Every figure without a value is null, with the number of values beside it. */
export interface ArmSummary {
  readonly arm: string
  readonly kind: Arm['kind']
  readonly budget: number
  /** Share of the items that stood in the prompt when they were asked for. */
  readonly itemRecall: Estimate | null
  readonly recallByKind: Readonly<Record<ItemKind, Estimate | null>>
  /** The item recall, minus that of `truncate` on the same dialogues. */
  readonly gain: Estimate | null
  /** (x − empty) ÷ (full − empty) of the item recall, on the same dialogues. */
  readonly normalized: Estimate | null
  /** Of those that were settled so early that the end of the conversation that fits does not hold them. */
  readonly earlyRecall: Estimate | null
  /** Share of a topic's names in the prompt. */
  readonly topicRecall: Estimate | null
  /** Share of the corrected items whose old value is shown without the one that holds beside it. */
  readonly staleExposure: Estimate | null
  /** Of the corrected items: the old value is shown so, and the one that holds is nowhere in the prompt. */
  readonly misled: Estimate | null
  /** Of the corrected items: what the prompt says last about the subject shows the value that holds. */
  readonly updateAccuracy: Estimate | null
  readonly contradictions: Contradictions
  readonly trail: TrailScores
  readonly abstention: Abstention
  readonly needles: NeedleScores
  /** By tool: share of the items that are in the prompt or in the answer of one call. */
  readonly reached: ByTool<Estimate | null>
  /** The same with up to three calls, each with other words. */
  readonly reachedAt3: ByTool<Estimate | null>
  /** By tool: tokens of the answers to all calls for an item that is not in the prompt. */
  readonly searchTokens: ByTool<Estimate | null>
  /** Tokens of the messages of the prompts in which something was asked. */
  readonly tokens: Estimate | null
  /** Tokens of the tools beside them. */
  readonly toolTokens: Estimate | null
  /** Tokens of those prompts for each item that they showed, of those that were asked for; null when they showed none. */
  readonly tokensPerFact: number | null
  /** Where shown items stand for the last time, as shares of tenths of the prompt's tokens, beginning to end; they add up to 1. */
  readonly position: readonly number[]
  /** Share of the request before that a request begins with. */
  readonly stability: Estimate | null
  /** Requests whose messages are above the budget, of all. */
  readonly overBudget: { readonly count: number; readonly n: number }
  /** Requests for which something was left out or summarised that was not before. */
  readonly compactions: number
  readonly warnings: Readonly<Record<string, number>>
}

/** What was said in two ways without a word on which one holds. */
export interface Contradictions {
  /** Share of it of which the prompt shows both values with a mark of conflict. */
  readonly flagged: Estimate | null
  /** The same for the prompt and the answer of one call together. */
  readonly flaggedWithTools: Estimate | null
  /** `flaggedWithTools` by who said the second value. */
  readonly by: Readonly<Record<'user' | 'assistant', Estimate | null>>
  /** Share of the items, which are not contested, that the prompt or the answer of one call marks so. */
  readonly falselyFlagged: Estimate | null
}

/** The files that the prompt presents as changed, against those that calls created, edited, deleted or renamed so far. */
export interface TrailScores {
  /** Harmonic mean of both, for each question; 0 when no file is presented. */
  readonly f1: Estimate | null
  /** Share of the changed files that are presented so. */
  readonly recall: Estimate | null
  /** Share of the presented files that were changed, where any is presented. */
  readonly precision: Estimate | null
}

/** Questions that have no answer. */
export interface Abstention {
  /** Share of which nothing in the prompt could be taken for an answer. */
  readonly inPrompt: Estimate | null
  /** The same for the prompt and the answer of one call together. */
  readonly withTools: Estimate | null
  /** `inPrompt` for what nobody mentioned, and for what was settled for another topic only. */
  readonly by: Readonly<Record<'absent' | 'foreign', Estimate | null>>
}

/** Planted facts, asked for at the end. */
export interface NeedleScores {
  /** Share in the prompt. */
  readonly recall: Estimate | null
  readonly by: Readonly<Record<'user' | 'tool', Estimate | null>>
  readonly reached: ByTool<Estimate | null>
  readonly reachedAt3: ByTool<Estimate | null>
}
