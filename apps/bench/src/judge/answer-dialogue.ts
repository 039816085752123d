import { countMessages, type TokenCounter } from '@palimpsest/core'
import type { Arm, OpenedArm, Projection } from '../arms/arm.ts'
import type { Dialogue } from '../dialogues/dialogue.ts'
import { judgeAnswer, type Panel } from './judge-answer.ts'
import type { JudgedAnswer, Variant } from './judge-report.ts'
import { extendDialogue, type Question, statedQuestion } from './question.ts'

export interface AnswerDialogueInput {
  readonly arm: Arm
  readonly dialogue: Dialogue
  /** Tokens of the messages of a projection. */
  readonly budget: number
  readonly tokens: TokenCounter
  readonly panel: Panel
  /** How often each projection is answered. */
  readonly runs: number
  readonly signal: AbortSignal
}

/** With its tools only where an arm has some that find things. */
export function variantsOf({ searches }: Arm): readonly Variant[] {
  return searches.length > 0 ? ['prompt', 'tools'] : ['prompt']
}

/**
 * Plays a dialogue with one arm as a host does, and lets every question be answered from what the arm then shows. The
 * dialogue goes on with its own answers, so that every arm and every run sees the same one. Gives the answers of a question
 * at a time; what came before an abort is given before it rejects.
 */
export async function* answerDialogue(input: AnswerDialogueInput): AsyncGenerator<JudgedAnswer[]> {
  const { arm, dialogue, budget, tokens, signal } = input
  const { messages, neverStated, tasks } = extendDialogue(dialogue, input.panel.runCode !== undefined)
  const questions = new Map(
    [...dialogue.probes.map((probe) => statedQuestion(dialogue, probe)), ...neverStated, ...tasks].map(
      (question) => [question.message, question],
    ),
  )
  const opened = await arm.open({ sessionId: `dialogue-${dialogue.seed}`, budget, tokens })
  try {
    for (const [index, message] of messages.entries()) {
      if (message.role !== 'assistant') continue
      signal.throwIfAborted()
      const projection = await opened.project(messages.slice(0, index))
      const question = questions.get(index - 1)
      if (question !== undefined) yield* answersTo(question, projection, opened, input)
      await opened.answered(message)
    }
  } finally {
    await opened.end()
  }
}

/** All runs of a question at once: more would be too many requests at a time, fewer too slow. */
async function* answersTo(
  question: Question,
  { messages, tools }: Projection,
  opened: OpenedArm,
  { arm, dialogue, budget, tokens, panel, runs }: AnswerDialogueInput,
): AsyncGenerator<JudgedAnswer[]> {
  const promptTokens = countMessages(tokens, messages)
  for (const variant of variantsOf(arm)) {
    const settled = await Promise.allSettled(
      Array.from({ length: runs }, async (_, index): Promise<JudgedAnswer> => {
        const result = await judgeAnswer(panel, {
          question,
          messages,
          tools: variant === 'tools' ? tools : [],
          callTool: (name, args) => opened.callTool(name, args),
        })
        const { seed } = dialogue
        const place = { arm: arm.name, budget, variant, seed, message: question.message, run: index + 1 }
        return { ...place, promptTokens, ...result }
      }),
    )
    yield settled.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
    const failed = settled.find((each) => each.status === 'rejected')
    if (failed !== undefined) throw failed.reason
  }
}
