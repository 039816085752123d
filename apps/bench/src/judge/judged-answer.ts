import type { Verdict } from './ask-judge.ts'
import type { CallFailure } from './model-meter.ts'
import type { TaskResult } from './seed-task.ts'

/** `prompt`: the projection alone. `tools`: with the arm's tools beside it, and what they answer. */
export type Variant = 'prompt' | 'tools'

/** One answer to one question. */
export interface JudgedAnswer {
  readonly arm: string
  readonly budget: number
  readonly variant: Variant
  readonly seed: number
  /** Index of the question in the dialogue; questions about what was never said stand behind its end. */
  readonly message: number
  /** From 1. */
  readonly run: number
  /** Of the projection's messages, as the bench counts them. */
  readonly promptTokens: number
  /** What the answerer said; null when it never did. */
  readonly text: string | null
  readonly toolCalls: number
  readonly cutOff: boolean
  /** What kept the answer, or its verdicts, from coming; null when nothing did. */
  readonly failure: CallFailure | null
  readonly facts: readonly JudgedFact[]
  /** The list or the function that was asked for, graded; null where facts were asked for. */
  readonly task: TaskResult | null
}

export interface JudgedFact {
  /** What it is about. */
  readonly about: string
  /** The value that holds; null for what was never stated. */
  readonly value: string | null
  /** The value that was said first and is wrong; null where there is none. */
  readonly wrong: string | null
  /** Whether it stood in what the answerer was shown. */
  readonly isShown: boolean
  /** Null for an answer without a verdict. */
  readonly verdict: Verdict | null
}
