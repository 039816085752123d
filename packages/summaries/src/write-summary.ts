import { type Message, redactMessages, redactSecrets, type TokenCounter } from '@palimpsest/core'
import type { WriteCall } from './create-compaction.ts'
import { addToFrame, NO_RECORD, readFrame, renderFrame, withRecord } from './frame.ts'
import { readMaterial } from './material.ts'
import { isWork, type Section, TALK_SECTIONS, WORK_SECTIONS } from './sections.ts'
import { summarize } from './summarize.ts'
import { type SummarizedOrKept, summarizeOrKeep } from './summarize-or-keep.ts'

export interface WriteSummaryInput {
  readonly call: Pick<
    WriteCall,
    'model' | 'streak' | 'mustSummarize' | 'signal' | 'focusTopic' | 'memoryContext'
  >
  /** The messages that the summary replaces, oldest first. */
  readonly messages: readonly Message[]
  /** The summary that this one brings up to date. */
  readonly previousSummary: string | undefined
  /** Length of a model's record, in tokens. */
  readonly maxTokens: number
  /** Room of the whole summary, in tokens. */
  readonly wholeTokens: number
  /** Default: by what the messages are. */
  readonly sections?: readonly Section[] | undefined
  readonly tokens: TokenCounter
}

/** The most that the user's words take beside a record of work: a share of the summary, and tokens. */
const SAID = { share: 0.15, most: 4_000 }

/**
 * The text of a summary: a model's record and what code knows exactly. Without a model, the record so far stays, and what the user
 * said fills the room. Secrets are hidden from the model and in the text.
 */
export async function writeSummary(input: WriteSummaryInput): Promise<SummarizedOrKept> {
  const { call, maxTokens, wholeTokens, tokens } = input
  const { focusTopic, memoryContext, signal } = call
  const messages = await redactMessages(input.messages)
  const earlier = readFrame(redactSecrets(input.previousSummary ?? ''))
  const frame = addToFrame(earlier, messages)
  const work = isWork(messages, earlier.record)
  const room = { maxTokens: wholeTokens, tokens }
  // In talk, the user's words are half of the conversation, and the record covers them.
  const said = work ? Math.min(SAID.most, wholeTokens * SAID.share) : 0
  return summarizeOrKeep({
    model: call.model,
    streak: call.streak,
    mustSummarize: call.mustSummarize,
    signal,
    byModel: async (model) => {
      const record = await summarize({
        model,
        texts: readMaterial(messages),
        previousSummary: earlier.record || earlier.said.join('\n') || undefined,
        sections: input.sections ?? (work ? WORK_SECTIONS : TALK_SECTIONS),
        rules: frame.rules,
        maxTokens,
        focusTopic,
        memoryContext,
        tokens,
        signal,
      })
      return renderFrame(withRecord(frame, record, messages), { ...room, said })
    },
    withoutModel: () =>
      renderFrame({ ...frame, record: frame.record || NO_RECORD }, { ...room, said: wholeTokens }),
  })
}
