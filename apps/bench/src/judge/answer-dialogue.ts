import type { TokenCounter } from '@palimpsest/core'
import type { Arm } from '../arms/arm.ts'
import { type PlayedRequest, playArm } from '../arms/play-arm.ts'
import type { Dialogue } from '../dialogues/dialogue.ts'
import { holdsItem, promptTexts, readableText } from '../dialogues/presence.ts'
import type { RunCode } from '../run-code/run-code.ts'
import { type AnswererInput, askAnswerer } from './ask-answerer.ts'
import { askJudge, type Judge, type Verdict } from './ask-judge.ts'
import { type CallFailure, settleCall, UNREADABLE } from './model-meter.ts'
import { extendDialogue, gradeTask, type Question, statedQuestion, type TaskResult } from './question.ts'

/** Answers to each projection: fewer do not show how much the models differ from themselves. */
export const RUNS = 3

export interface AnswerDialogueInput {
  readonly arm: Arm
  readonly dialogue: Dialogue
  readonly budget: number
  readonly tokens: TokenCounter
  readonly panel: Panel
  readonly signal: AbortSignal
  /** Gets the answers of a question at a time, also those before an abort; and how many of how many times it was called. */
  readonly onAnswers: (answers: readonly JudgedAnswer[], done: number, whole: number) => void
}

/** With its tools only where an arm has some that find things. */
export function variantsOf({ searches }: Arm): readonly Variant[] {
  return searches.length > 0 ? ['prompt', 'tools'] : ['prompt']
}

export async function answerDialogue(input: AnswerDialogueInput): Promise<void> {
  const { arm, dialogue, budget, tokens, signal } = input
  const { messages, neverStated, tasks } = extendDialogue(dialogue, input.panel.runCode !== undefined)
  const stated = dialogue.probes.map((probe) => statedQuestion(dialogue, probe))
  const questions = new Map(
    [...stated, ...neverStated, ...tasks].map((question) => [question.message, question]),
  )
  let done = 0
  const onAnswers = (answers: readonly JudgedAnswer[]) =>
    input.onAnswers(answers, ++done, questions.size * variantsOf(arm).length)
  await playArm(
    { arm, messages, budget, tokens, sessionId: `dialogue-${dialogue.seed}` },
    async (request) => {
      signal.throwIfAborted()
      const question = questions.get(request.length - 1)
      if (question !== undefined) await answerQuestion(question, request, { ...input, onAnswers })
    },
  )
}

/** All runs of a question at once: more would be too many requests at a time, fewer too slow. */
async function answerQuestion(
  question: Question,
  { projection: { messages, tools }, size, opened }: PlayedRequest,
  {
    arm,
    dialogue,
    budget,
    panel,
    onAnswers,
  }: Omit<AnswerDialogueInput, 'onAnswers'> & {
    readonly onAnswers: (answers: readonly JudgedAnswer[]) => void
  },
): Promise<void> {
  for (const variant of variantsOf(arm)) {
    const settled = await Promise.allSettled(
      Array.from({ length: RUNS }, async (_, index): Promise<JudgedAnswer> => {
        const result = await judgeAnswer(panel, {
          question,
          messages,
          tools: variant === 'tools' ? tools : [],
          callTool: (name, args) => opened.callTool(name, args),
        })
        return {
          arm: arm.name,
          budget,
          variant,
          seed: dialogue.seed,
          message: question.message,
          run: index + 1,
          promptTokens: size,
          ...result,
        }
      }),
    )
    onAnswers(settled.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : [])))
    const failed = settled.find((each) => each.status === 'rejected')
    if (failed !== undefined) throw failed.reason
  }
}

export interface Panel {
  readonly answerer: Pick<AnswererInput, 'model' | 'meter' | 'signal'>
  readonly judge: Judge
  /** Runs the functions that answers hold. Undefined: none is asked for. */
  readonly runCode?: RunCode
}

/** `prompt`: the projection alone. `tools`: with the arm's tools beside it, and what they answer. */
export type Variant = 'prompt' | 'tools'

export interface JudgedAnswer extends Awaited<ReturnType<typeof judgeAnswer>> {
  readonly arm: string
  readonly budget: number
  readonly variant: Variant
  readonly seed: number
  /** Index of the question in the dialogue; questions about what was never said stand behind its end. */
  readonly message: number
  readonly run: number
  readonly promptTokens: number
}

/** A fact, whether it stood in what the answerer was shown, and its verdict; null for an answer without one. */
export type JudgedFact = ReturnType<typeof factsOf>[number]

interface JudgeAnswerInput extends Pick<AnswererInput, 'messages' | 'tools' | 'callTool'> {
  readonly question: Question
}

/** One answer, judged. A failure is part of the result. Rejects when aborted, and when every other request would fail too. */
export async function judgeAnswer(
  { answerer, judge, runCode }: Panel,
  { question, messages, tools, callTool }: JudgeAnswerInput,
) {
  const asked = askAnswerer({ ...answerer, messages, tools, callTool })
  const { value: answer, failure } = await settleCall('answerer', asked)
  const { text = null, toolCalls = 0, cutOff = false } = answer ?? {}
  const result = (
    failed: CallFailure | null,
    facts: readonly JudgedFact[],
    task: TaskResult | null = null,
  ) => ({
    /** Null when the answerer never said anything. */
    text,
    toolCalls,
    cutOff,
    failure: failed,
    facts,
    /** The list or the function that was asked for, graded; null where facts were asked for. */
    task,
  })
  if (question.task !== undefined) {
    const graded = await gradeTask(question.task, { judge, runCode, answer: text })
    return result(failure ?? graded.failure, [], graded.result)
  }
  const shown = [...promptTexts(messages), ...promptTexts(answer?.found ?? []).map(readableText)]
  if (text === null) return result(failure, factsOf(question, shown, undefined))
  const judged = askJudge(judge, { question: question.text, facts: question.facts, answer: text })
  const { value: verdicts = null, failure: judgeFailure } = await settleCall('judge', judged)
  const unread = verdicts === null ? UNREADABLE : null
  return result(judgeFailure ?? unread, factsOf(question, shown, verdicts ?? undefined))
}

function factsOf({ facts }: Question, shown: readonly string[], verdicts: readonly Verdict[] | undefined) {
  return facts.map(({ about, value, wrong, item }, index) => ({
    about,
    value,
    wrong,
    isShown: item !== null && holdsItem(shown, item),
    verdict: verdicts?.[index] ?? null,
  }))
}
