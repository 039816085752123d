/** What can be measured by itself. */
export const PARTS = ['recall', 'cost', 'speed'] as const

export type Part = (typeof PARTS)[number]

/** Options of `bench`, parsed. */
export interface BenchOptions {
  readonly data?: string
  readonly engines?: readonly string[]
  /** Tokens. */
  readonly budgets: readonly number[]
  readonly seed: number
  readonly seeds: number
  readonly judge?: true
  /** Tokens. */
  readonly windows: readonly number[]
  /** Lengths of conversations. */
  readonly messages?: readonly number[]
  readonly json?: string
  readonly html?: string
  readonly report?: string
}
