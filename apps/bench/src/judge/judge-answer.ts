import { holdsItem, promptTexts, readableText } from '../dialogues/presence.ts'
import type { RunCode } from '../run-code/run-code.ts'
import { type AnswererInput, askAnswerer } from './ask-answerer.ts'
import { askJudge, type Judge, type Verdict } from './ask-judge.ts'
import { type CallFailure, settleCall, UNREADABLE } from './model-meter.ts'
import type { Question } from './question.ts'
import { gradeTask, type TaskResult } from './seed-task.ts'

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

export interface JudgeAnswerInput extends Pick<AnswererInput, 'messages' | 'tools' | 'callTool'> {
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
