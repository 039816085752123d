import type { Estimate } from '../bootstrap.ts'

/** The measures of LoCoEval: topic awareness, information extraction, function completion. */
type TaskKind = 'TA' | 'IE' | 'FC'

/** By line: index of the fact that it states, which no other line has; null where it states none. */
export type Matches = readonly (number | null)[]

/** A graded answer. */
export type TaskResult =
  | {
      readonly kind: 'TA' | 'IE'
      readonly gold: readonly string[]
      /** The list in the answer. */
      readonly lines: readonly string[]
      /** Null without an answer, and when the judge gave none that can be read. */
      readonly matches: Matches | null
    }
  | FunctionResult

/** A function that ran against its tests. */
export interface FunctionResult {
  readonly kind: 'FC'
  /** Whether the function gives what it must for every input; null without an answer. */
  readonly isRight: boolean | null
  /** Why the code gives no values; null when it gives some. */
  readonly error: string | null
}

/** The measures of LoCoEval on one arm's answers: means over answers, with intervals from resampling dialogues. */
export interface TaskScores {
  /** F1 of the topics that the answer lists: harmonic mean of what of the list is right and what of the right is listed. */
  readonly ta: Estimate | null
  /** The same of the items of a topic. */
  readonly ie: Estimate | null
  readonly iePrecision: Estimate | null
  readonly ieRecall: Estimate | null
  /** Pass@1: share of the functions that pass all of their tests. Null where none was asked for. */
  readonly fc: Estimate | null
  /** Pass@k, for the k runs: share of the functions of which one run at least passes. */
  readonly fcAny: Estimate | null
  /** (x − empty) ÷ (full − empty) of the first means; null where those two are the same or were not asked. */
  readonly normalized: Readonly<Record<TaskKind, number | null>>
}
