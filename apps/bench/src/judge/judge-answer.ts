import { holdsItem, promptTexts, readableText } from '../dialogues/presence.ts'
import type { RunCode } from '../run-code/run-code.ts'
import { type AnswererInput, askAnswerer } from './ask-answerer.ts'
import { askJudge, type Judge, type Verdict } from './ask-judge.ts'
import type { JudgedAnswer, JudgedFact } from './judged-answer.ts'
import { settleCall, UNREADABLE } from './model-meter.ts'
import type { Question } from './question.ts'
import { gradeTask } from './seed-task.ts'

/** Who answers, and who judges. */
export interface Panel {
  readonly answerer: Pick<AnswererInput, 'model' | 'meter' | 'signal'>
  readonly judge: Judge
  /** Runs the functions that answers hold. Undefined: none is asked for. */
  readonly runCode?: RunCode
}

export interface JudgeAnswerInput extends Pick<AnswererInput, 'messages' | 'tools' | 'callTool'> {
  readonly question: Question
}

/** What is known of an answer whoever showed what to the answerer. */
export type AnswerResult = Pick<JudgedAnswer, 'text' | 'toolCalls' | 'cutOff' | 'failure' | 'facts' | 'task'>

/**
 * Lets a projection be answered once, and the answer be judged. A failure is part of the result. Rejects when aborted, and
 * when every other request would fail too.
 */
export async function judgeAnswer(
  { answerer, judge, runCode }: Panel,
  { question, messages, tools, callTool }: JudgeAnswerInput,
): Promise<AnswerResult> {
  const asked = askAnswerer({ ...answerer, messages, tools, callTool })
  const { value: answer, failure } = await settleCall('answerer', asked)
  const { text = null, toolCalls = 0, cutOff = false } = answer ?? {}
  if (question.task !== undefined) {
    const graded = await gradeTask(question.task, { judge, runCode, answer: text })
    return { text, toolCalls, cutOff, failure: failure ?? graded.failure, facts: [], task: graded.result }
  }
  const shown = [...promptTexts(messages), ...promptTexts(answer?.found ?? []).map(readableText)]
  const facts = (verdicts: readonly Verdict[] | undefined) => factsOf(question, shown, verdicts)
  const plain = { text, toolCalls, cutOff, task: null }
  if (text === null) return { ...plain, failure, facts: facts(undefined) }

  const judged = askJudge(judge, { question: question.text, facts: question.facts, answer: text })
  const { value: verdicts, failure: judgeFailure } = await settleCall('judge', judged)
  if (judgeFailure !== null) return { ...plain, failure: judgeFailure, facts: facts(undefined) }
  return { ...plain, failure: verdicts ? null : UNREADABLE, facts: facts(verdicts) }
}

function factsOf(
  { facts }: Question,
  shown: readonly string[],
  verdicts: readonly Verdict[] | undefined,
): JudgedFact[] {
  return facts.map(({ about, value, wrong, item }, index) => ({
    about,
    value,
    wrong,
    isShown: item !== null && holdsItem(shown, item),
    verdict: verdicts?.[index] ?? null,
  }))
}
