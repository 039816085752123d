import type { TokenCounter } from '@palimpsest/core'
import type { Arm } from '../arms/arm.ts'
import { type PlayedRequest, playArm } from '../arms/play-arm.ts'
import type { Dialogue } from '../dialogues/dialogue.ts'
import { type JudgedAnswer, judgeAnswer, type Panel, type Variant } from './judge-answer.ts'
import { extendDialogue, type Question, statedQuestion } from './question.ts'

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
