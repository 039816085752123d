import type { ModelErrorKind } from '@palimpsest/core'
import type { Arm } from '../arms/arm.ts'
import type { Estimate } from '../bootstrap.ts'
import type { PlantedKind } from './planted-kind.ts'
import type { TaskResult, TaskScores } from './task-result.ts'
import type { Verdict } from './verdict.ts'

/** What a model answered from each arm's projections, as another model judged it. Differs from run to run: models do. */
export interface JudgeReport {
  /** Names of the models, as their ports give them. */
  readonly answerer: string
  readonly judge: string
  /** How often each projection was answered and judged. The ports take no seed: each run is one more draw. */
  readonly runs: number
  readonly budgets: readonly number[]
  readonly dialogues: readonly JudgedDialogue[]
  /** How far the judge is to be trusted. */
  readonly check: JudgeCheck
  /** Within each budget: arm by arm, first without its tools, then with them. */
  readonly rows: readonly JudgeRow[]
  /** Whether functions were asked for and run. */
  readonly runsCode: boolean
  /** Every answer with its verdicts, to be read again: in the order in which they were asked for. */
  readonly answers: readonly JudgedAnswer[]
  /** Answers that a complete run has. */
  readonly planned: number
  /** Why the run ended early; null for a complete one. What was there by then is in the report. */
  readonly stopped: string | null
  readonly spend: {
    readonly answerer: ModelSpend
    readonly judge: ModelSpend
    /** Requests to both models, tries that failed among them. */
    readonly calls: number
    /** Both models, in US dollars; null when the price of one is not known. */
    readonly usd: number | null
  }
}

export interface JudgedDialogue {
  readonly seed: number
  readonly messages: number
  /** Questions about what was said. */
  readonly probes: number
  /** Questions about what never was. */
  readonly neverStated: number
  /** Lists and functions that are asked for. */
  readonly tasks: number
}

/** `prompt`: the projection alone. `tools`: with the arm's tools beside it, and what they answer. */
export type Variant = 'prompt' | 'tools'

/** One arm at one budget. All means are over facts (an item in one answer); intervals are from resampling dialogues. */
export interface JudgeRow {
  readonly arm: string
  readonly kind: Arm['kind']
  readonly budget: number
  readonly variant: Variant
  /** Share of the judged facts that hold in the answer. */
  readonly score: Estimate | null
  /** The same of each run alone: how much the models differ from themselves. Null for a run without a judged fact. */
  readonly scoreByRun: readonly (number | null)[]
  /** The score minus that of `truncate` without tools, on the same dialogues. */
  readonly gain: Estimate | null
  /** Share of the judged facts that stood in what the answerer was shown, tool results included. */
  readonly shown: Estimate | null
  /** The score of facts that stood there: what is missing to 1 is lost by the answerer. */
  readonly scoreGivenShown: Estimate | null
  /** The score of facts that did not: guesses, and values that stood without a word of their subject. */
  readonly scoreGivenNotShown: Estimate | null
  /** The facts that do not hold, as shares of all: not shown (lost by the arm), and shown (lost by the answerer). */
  readonly lostToContext: Estimate | null
  readonly lostToAnswerer: Estimate | null
  /** Of the facts that were corrected by then: the old value was given as what holds. */
  readonly stale: Estimate | null
  /** Of all facts. */
  readonly notStated: Estimate | null
  readonly wrong: Estimate | null
  /** Of questions about what was never said: no value was given. */
  readonly abstained: Estimate | null
  readonly tasks: TaskScores
  /** Facts that the judge accepted although their value stands nowhere in the answer, letter for letter. Look at these. */
  readonly acceptedWithoutValue: Count
  /** Facts of which the judge gave no verdict that could be read, twice. In no mean. */
  readonly unjudged: Count
  /** Answers that never came, of those that were asked for. In no mean. */
  readonly failed: Count
  /** Answers that hit the output limit: judged as they are. */
  readonly cutOff: Count
  /** Tool calls for each answer. */
  readonly toolCalls: number | null
  /** Mean tokens of the projection's messages, as the bench counts them. */
  readonly promptTokens: number | null
}

/** How many of how many. */
export interface Count {
  readonly count: number
  readonly n: number
}

/** How the judge took answers of which it is known what is right. */
export interface JudgeCheck {
  /** Share of vague and wrong answers that it accepted; null when it judged none. */
  readonly leniency: number | null
  /** Share of right answers, in the usual and in other words, that it did not accept; null when it judged none. */
  readonly severity: number | null
  /** Vague and wrong answers that it judged, and right ones. */
  readonly n: { readonly leniency: number; readonly severity: number }
  /** Why its figures are not to be trusted, in sentences. Empty for a judge that passed. */
  readonly doubts: readonly string[]
  /** Facts by what was planted and what the judge said of them. */
  readonly confusion: readonly ConfusionRow[]
}

export interface ConfusionRow {
  readonly planted: PlantedKind
  /** What a careful reader would say. */
  readonly expected: Verdict
  readonly verdicts: Readonly<Record<Verdict, number>>
  readonly unjudged: number
}

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

export interface CallFailure {
  readonly of: 'answerer' | 'judge'
  readonly kind: ModelErrorKind | 'unreadable'
  readonly message: string
}

/** What one model was asked for. Tokens are those that the provider reported; it reports none of tries that failed. */
export interface ModelSpend {
  readonly model: string
  /** Requests, tries that failed among them. */
  readonly calls: number
  /** Tries that failed, by kind. */
  readonly failures: Readonly<Record<string, number>>
  /** Answered requests of which the provider reported no usage: in none of the figures below. */
  readonly unreported: number
  readonly promptTokens: number
  /** Part of `promptTokens`. */
  readonly cacheReadTokens: number
  readonly completionTokens: number
  /** US dollars; null when no price is known for the model. */
  readonly usd: number | null
  /** The day of the prices, as YYYY-MM-DD; null when there are none. */
  readonly pricesOf: string | null
}
