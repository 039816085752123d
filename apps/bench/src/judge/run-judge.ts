import { type ChatModel, type CompletionModel, errorText, type TokenCounter } from '@palimpsest/core'
import type { Arm } from '../arms/arm.ts'
import { truncate } from '../arms/bounds.ts'
import type { Dialogue } from '../dialogues/dialogue.ts'
import type { Progress } from '../progress.ts'
import { measurePlays } from '../report/measure.ts'
import type { RunCode } from '../run-code/run-code.ts'
import {
  type AnswerDialogueInput,
  answerDialogue,
  type JudgedAnswer,
  type Panel,
  RUNS,
  type Variant,
  variantsOf,
} from './answer-dialogue.ts'
import { checkJudge, type PlantedVerdict, summarizeCheck } from './check-judge.ts'
import { checksOf, JUDGE_MEASURES, type JudgedPlays } from './judge-measures.ts'
import { createModelMeter, type ModelSpend, realSleep, type Sleep } from './model-meter.ts'
import { checkSolutions, extendDialogue } from './question.ts'

export interface JudgeInput {
  readonly arms: readonly Arm[]
  readonly dialogues: readonly Dialogue[]
  readonly budgets: readonly number[]
  readonly tokens: TokenCounter
  readonly answerer: ChatModel
  readonly judge: CompletionModel
  /** Runs what the answerer writes when it is asked for a function. Default: no function is asked for. */
  readonly runCode?: RunCode
  /** Ends the run early; the report says so and holds what was there by then. */
  readonly signal?: AbortSignal
  readonly sleep?: Sleep
  readonly progress: Progress
}

/** One model's answers from each arm's projections, judged by another. They differ from run to run. */
export type JudgeReport = Awaited<ReturnType<typeof runJudge>>

/** One arm at one budget. All means are over facts (an item in one answer); intervals are from resampling dialogues. */
export type JudgeRow = JudgeReport['rows'][number]

/**
 * Checks the judge with planted answers, then lets it judge. What ends the run early (an abort, a refused key, a lasting
 * limit) does not reject: answers were paid for, and the report holds those that came.
 */
export async function runJudge(input: JudgeInput) {
  const { answerer, judge, runCode, arms, dialogues, budgets, progress } = input
  const { signal = new AbortController().signal, sleep = realSleep } = input
  const panel: Panel = {
    answerer: { model: answerer, meter: createModelMeter(answerer.name, signal, sleep), signal },
    judge: { model: judge, meter: createModelMeter(judge.name, signal, sleep), signal },
    ...(runCode !== undefined && { runCode }),
  }
  const sizes = dialogues.map((dialogue) => sizeOf(dialogue, runCode !== undefined))
  const checked: PlantedVerdict[] = []
  const answers: JudgedAnswer[] = []
  let stopped: string | null = null
  try {
    if (runCode !== undefined) await checkSolutions(dialogues, runCode)
    for await (const verdicts of checkJudge(panel.judge, dialogues, progress)) checked.push(...verdicts)
    await answerAll(input, { panel, signal, answers })
  } catch (error) {
    stopped = errorText(error)
  }
  progress.end()
  return {
    answerer: answerer.name,
    judge: judge.name,
    runs: RUNS,
    budgets,
    dialogues: sizes,
    check: summarizeCheck(checked),
    runsCode: runCode !== undefined,
    rows: rowsOf(input, answers),
    answers,
    planned:
      sizes.reduce((sum, { probes, neverStated, tasks }) => sum + probes + neverStated + tasks, 0) *
      arms.flatMap(variantsOf).length *
      budgets.length *
      RUNS,
    /** Why the run ended early; null for a complete one. */
    stopped,
    spend: addSpends(panel.answerer.meter.spend, panel.judge.meter.spend),
  }
}

/** Dialogue by dialogue, so that a run that ends early has asked all arms the same, the last dialogue excepted. */
async function answerAll(
  { arms, dialogues, budgets, tokens, progress }: JudgeInput,
  { answers, ...asked }: Pick<AnswerDialogueInput, 'panel' | 'signal'> & { readonly answers: JudgedAnswer[] },
): Promise<void> {
  for (const dialogue of dialogues)
    for (const budget of budgets)
      for (const arm of arms) {
        progress.step(`${arm.name} within ${budget} tokens, dialogue ${dialogue.seed}`)
        const onAnswers: AnswerDialogueInput['onAnswers'] = (more, done, whole) => {
          progress.done(done, whole)
          answers.push(...more)
        }
        await answerDialogue({ arm, dialogue, budget, tokens, onAnswers, ...asked })
      }
}

function rowsOf({ arms, budgets }: JudgeInput, answers: readonly JudgedAnswer[]) {
  const of = (arm: string, budget: number, variant: Variant): JudgedAnswer[] =>
    answers.filter((each) => each.arm === arm && each.budget === budget && each.variant === variant)
  return budgets.flatMap((budget) => {
    const tail = of(truncate.name, budget, 'prompt')
    return arms.flatMap((arm) =>
      variantsOf(arm).map((variant) => {
        const plays: JudgedPlays = { answers: of(arm.name, budget, variant), tail }
        const key = { arm: arm.name, kind: arm.kind, budget, variant }
        return { ...key, ...measurePlays(JUDGE_MEASURES, plays), ...checksOf(plays.answers, RUNS) }
      }),
    )
  })
}

function sizeOf(dialogue: Dialogue, runsCode: boolean) {
  const { seed, messages, probes } = dialogue
  const { neverStated, tasks } = extendDialogue(dialogue, runsCode)
  return {
    seed,
    messages: messages.length,
    probes: probes.length,
    neverStated: neverStated.length,
    tasks: tasks.length,
  }
}

function addSpends(answerer: ModelSpend, judge: ModelSpend) {
  const usd = answerer.usd === null || judge.usd === null ? null : answerer.usd + judge.usd
  return { answerer, judge, calls: answerer.calls + judge.calls, usd }
}
