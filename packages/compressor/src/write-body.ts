import { type CompletionModel, type CompressCall, redactSecrets, type TokenCounter } from '@palimpsest/core'
import { redactMessages, type SummarizedOrKept, summarizeOrKeep } from '@palimpsest/core/summarizer'
import { frameSummary, type IdentifierMemory, readFrame, worthReading } from '@palimpsest/extractive'
import type { CompressorProfile } from './options.ts'
import type { CompactionPlan } from './plan-compaction.ts'
import { summarizeWithModel } from './summarize-with-model.ts'
import { summaryTokens } from './token-room.ts'

/** The text of a summary message. */
export interface WrittenBody extends Omit<SummarizedOrKept, 'writer'> {
  /** `earlier`: the earlier summary tells everything already. */
  readonly writer: SummarizedOrKept['writer'] | 'earlier'
}

export interface WriteBodyInput {
  readonly plan: CompactionPlan
  readonly call: Pick<CompressCall, 'focusTopic' | 'memoryContext' | 'signal'>
  readonly profile: CompressorProfile
  readonly tokens: TokenCounter
  readonly model: CompletionModel | undefined
  /** Failures of the model in a row so far. */
  readonly streak: number
  readonly mustSummarize: boolean
  /** Identifiers that the session has mentioned so far. */
  readonly memory: IdentifierMemory
}

/**
 * The content of the summary message: the prose, the user's own words and the identifiers that the prose
 * dropped. Everything is redacted before it is read. The text is null when everything has to be kept.
 */
export async function writeBody(input: WriteBodyInput): Promise<WrittenBody> {
  const { plan, call, profile, tokens } = input
  const { room, boundaries, shownTokens } = plan
  if (plan.material.length === 0) {
    return { text: redactSecrets(boundaries.previousSummary ?? ''), writer: 'earlier', warnings: [] }
  }
  const material = await redactMessages(worthReading(plan.material))
  const earlier = readFrame(redactSecrets(boundaries.previousSummary ?? ''))
  const written = await summarizeOrKeep({
    model: input.model,
    streak: input.streak,
    mustSummarize: input.mustSummarize,
    signal: call.signal,
    // The excerpts stand in its place.
    withoutModel: () => '',
    byModel: async (model) =>
      summarizeWithModel({
        model,
        messages: await redactMessages(worthReading(plan.shown)),
        previousSummary: earlier.prose || earlier.excerpts || undefined,
        focusTopic: call.focusTopic,
        memoryContext: call.memoryContext,
        maxTokens: summaryTokens(room, profile, shownTokens),
        isFramed: profile.excerptsMax > 0,
        tokens,
        signal: call.signal,
      }),
  })
  if (written.text === null) return written

  const text = await frameSummary({
    prose: written.text,
    messages: material,
    earlier,
    visible: await redactMessages([...boundaries.head, ...plan.tail.messages]),
    request: boundaries.request,
    memory: input.memory,
    focusTopic: call.focusTopic,
    // Without a model they are all that the summary says.
    excerptTokens:
      written.writer === 'model'
        ? room.excerpts
        : Math.max(room.excerpts, summaryTokens(room, profile, shownTokens)),
    identifierTokens: room.identifiers,
    tokens,
  })
  return { ...written, text }
}
