import type { Arm } from '../arms/arm.ts'

/** What every arm costs on the same sessions. Everything in it is the same in every run. US dollars. */
export interface BillReport {
  /** Model whose prices prompts and summaries have, and the date of the price list as YYYY-MM-DD. */
  readonly model: string
  readonly pricesOf: string
  /** Tokens of the agent's tools, which stand in every prompt of every arm beside the arm's own. */
  readonly agentTools?: number
  /** Budgets in the order given; within each, arms in the order given. */
  readonly rows: readonly BillRow[]
  readonly skipped: readonly { readonly file: string; readonly reason: string }[]
}

/**
 * One arm at one budget, summed over the sessions. What the agent itself writes is the same for all arms and in none of the
 * sums.
 */
export interface BillRow {
  readonly arm: string
  readonly kind: Arm['kind']
  /** Tokens that the messages of a prompt may take. */
  readonly budget: number
  readonly requests: number
  /** Requests for which the arm compacted; for an arm without a memory, those that left something out. */
  readonly compactions: number
  /** Mean tokens of a prompt, tools included. */
  readonly promptTokens: number
  /** All prompts, by strategy of breakpoints. */
  readonly sticky: number
  readonly systemAnd3: number
  readonly uncached: number
  /** Part of the prompts' tokens that sticky reads from the cache. */
  readonly readShare: number
  /**
   * What the model's summaries (and readings of turns) cost: input at full price, although an engine that asks behind the
   * prompt that is cached would read most of it from the cache.
   */
  readonly summaries: number
  /** Prompts with sticky, and summaries. */
  readonly total: number
  /** Requests whose messages took more than the budget. */
  readonly overBudget: { readonly count: number; readonly n: number }
  /** How often the arm warned, by code. */
  readonly warnings?: Readonly<Record<string, number>>
}
