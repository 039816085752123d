import {
  type CompletionModel,
  countMessages,
  inSlices,
  isSummary,
  type LastRequest,
  type Message,
  messageText,
  redactMessages,
  redactSecrets,
  type TokenCounter,
} from '@palimpsest/core'
import { joinedLength, recordLength } from './budget.ts'
import type { WriteCall } from './create-compaction.ts'
import { escapeTags } from './escape-tags.ts'
import { type SummarizedOrKept, summarizeOrKeep } from './failures.ts'
import { addToFrame, NO_RECORD, readFrame, renderFrame, type SummaryFrame, withRecord } from './frame.ts'
import { readMaterial } from './material.ts'
import { type Part, partsToJoin, readParts, writeParts } from './parts.ts'
import { isWork, type Section, TALK_SECTIONS, WORK_SECTIONS } from './sections.ts'
import { type SummarizeInput, summarize, summarizeHere } from './summarize.ts'

export interface WriteSummaryInput {
  readonly call: Pick<
    WriteCall,
    'model' | 'streak' | 'mustSummarize' | 'signal' | 'focusTopic' | 'memoryContext' | 'lastRequest'
  >
  readonly messages: readonly Message[]
  readonly previousSummary: string | undefined
  readonly recordsTokens: number
  /** Room of the whole summary, in tokens. */
  readonly wholeTokens: number
  /** Asks the provider to compact instead of the model. Undefined as a result asks the model too. */
  readonly byProvider?: ((model: CompletionModel) => Promise<string | undefined>) | undefined
  readonly kept?: Message | undefined
  /** The sections of the record. Default: `WORK_SECTIONS` or `TALK_SECTIONS`, depending on the messages. */
  readonly sections?: readonly Section[] | undefined
  readonly tokens: TokenCounter
}

/**
 * Price of a cached token relative to a full one: a tenth at Anthropic, OpenAI and Gemini, less on their newest models
 * (`@palimpsest/prompt-caching`).
 */
const READ_PRICE = 0.1

/** Limits of the user's words next to a record of work: a share of the summary, and tokens. */
const SAID = { share: 0.15, most: 4_000 }

/**
 * Writes a summary from a model's records and facts found by code. Without a model, earlier records stay, and the
 * user's words fill the room. Secrets are redacted in the request and in the summary.
 */
export async function writeSummary(input: WriteSummaryInput): Promise<SummarizedOrKept> {
  const { call, wholeTokens, tokens } = input
  const messages = await redactMessages(input.messages)
  const earlier = readFrame(redactSecrets(input.previousSummary ?? ''))
  const frame = await inSlices(addToFrame(earlier, messages))
  const room = { maxTokens: wholeTokens, tokens }
  const work = isWork(messages, earlier.record)
  // In talk, the user's words are half of the conversation, and the record covers them.
  const said = work ? Math.min(SAID.most, wholeTokens * SAID.share) : 0
  const sections = input.sections ?? (work ? WORK_SECTIONS : TALK_SECTIONS)
  return summarizeOrKeep({
    model: call.model,
    streak: call.streak,
    mustSummarize: call.mustSummarize,
    signal: call.signal,
    byModel: async (model) => {
      const record = await input.byProvider?.(model)
      const written =
        record === undefined
          ? await addRecord(messages, { ...input, model, sections, earlier, frame })
          : { ...frame, record: redactSecrets(record) }
      return renderFrame(written, { ...room, said })
    },
    withoutModel: () =>
      renderFrame({ ...frame, record: frame.record || NO_RECORD }, { ...room, said: wholeTokens }),
  })
}

interface RecordWriter extends WriteSummaryInput {
  readonly model: CompletionModel
  readonly sections: readonly Section[]
  readonly earlier: SummaryFrame
  readonly frame: SummaryFrame
}

async function addRecord(
  messages: readonly Message[],
  { model, call, sections, earlier, frame, recordsTokens, kept, tokens }: RecordWriter,
): Promise<SummaryFrame> {
  const { focusTopic, memoryContext, signal } = call
  const { rules } = frame
  const ask = (texts: readonly string[], more: Pick<SummarizeInput, 'maxTokens'> & Partial<SummarizeInput>) =>
    summarize({ model, sections, rules, focusTopic, memoryContext, tokens, signal, texts, ...more })

  const parts = readParts(earlier.record)
  const before = parts.at(-1)
  const texts = readMaterial(messages)
  const size = countTexts(texts, tokens)
  const room = {
    previousStays: before !== undefined,
    maxTokens: recordLength(size, countMessages(tokens, messages), recordsTokens),
  }
  const lastRequest = model.chat && call.lastRequest
  const isCheaper =
    lastRequest !== undefined &&
    isShown(before, lastRequest) &&
    countMessages(tokens, lastRequest.messages) * READ_PRICE < size
  const here = isCheaper
    ? await summarizeHere({
        ...room,
        model,
        lastRequest,
        kept,
        sections,
        rules,
        focusTopic,
        memoryContext,
        tokens,
        signal,
      })
    : undefined
  const previousSummary = before?.text ?? (earlier.said.join('\n') || undefined)
  const record = here ?? (await ask(texts, { ...room, previousSummary }))
  const written = withRecord(frame, record, messages)
  const next = (before?.last ?? 0) + 1
  parts.push({ first: next, last: next, text: written.record })
  while (parts.length > 1 && tokens.countText(writeParts(parts)) > recordsTokens) {
    const at = partsToJoin(parts)
    const [one, other] = parts.slice(at, at + 2) as [Part, Part]
    const pair = [one, other].map(({ text }, index) => `[record ${index + 1}]\n${escapeTags(text)}`)
    const joined = await ask(pair, {
      of: 'summaries',
      maxTokens: joinedLength(countTexts(pair, tokens), recordsTokens),
    })
    parts.splice(at, 2, { first: one.first, last: other.last, text: withRecord(frame, joined, []).record })
  }
  return { ...written, record: writeParts(parts) }
}

function isShown(before: Part | undefined, { messages }: LastRequest): boolean {
  const summaries = messages.filter(isSummary).map(messageText)
  return before === undefined ? summaries.length === 0 : summaries.some((text) => text.includes(before.text))
}

function countTexts(texts: readonly string[], tokens: TokenCounter): number {
  return texts.reduce((sum, text) => sum + tokens.countText(text), 0)
}
