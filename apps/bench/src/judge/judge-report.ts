import type { Count } from '../report/format.ts'
import type { ArmRow, FiguresOf } from '../report/measure.ts'
import type { JudgeCheck } from './check-judge.ts'
import type { JUDGE_MEASURES } from './judge-measures.ts'
import type { JudgedAnswer, Variant } from './judged-answer.ts'
import type { ModelSpend } from './model-meter.ts'

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

/** One arm at one budget. All means are over facts (an item in one answer); intervals are from resampling dialogues. */
export interface JudgeRow extends ArmRow, FiguresOf<typeof JUDGE_MEASURES> {
  readonly variant: Variant
  /** The score of each run alone: how much the models differ from themselves. Null for a run without a judged fact. */
  readonly scoreByRun: readonly (number | null)[]
  /** Facts that the judge accepted although their value stands nowhere in the answer, letter for letter. Look at these. */
  readonly acceptedWithoutValue: Count
  /** Facts of which the judge gave no verdict that could be read, twice. In no mean. */
  readonly unjudged: Count
  /** Answers that never came, of those that were asked for. In no mean. */
  readonly failed: Count
  /** Answers that hit the output limit: judged as they are. */
  readonly cutOff: Count
}
