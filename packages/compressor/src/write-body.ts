import {
  type CompletionModel,
  type CompressCall,
  type Message,
  redactSecrets,
  type TokenCounter,
} from '@palimpsest/core'
import { redactMessage } from '@palimpsest/core/summarizer'
import { type IdentifierMemory, identifierAppendix } from '@palimpsest/extractive'
import { keepUserMessages } from './keep-user-messages.ts'
import type { CompressorProfile } from './options.ts'
import type { CompactionPlan } from './plan-compaction.ts'
import { formatSummaryBody, parseSummaryBody } from './summary-body.ts'
import { summaryTokens } from './token-room.ts'
import { type WrittenSummary, writeSummary } from './write-summary.ts'

export interface WriteBodyInput {
  readonly plan: CompactionPlan
  readonly call: Pick<CompressCall, 'focusTopic' | 'memoryContext' | 'signal'>
  readonly profile: CompressorProfile
  readonly tokens: TokenCounter
  readonly model: CompletionModel | undefined
  /** Failures of the model in a row so far. */
  readonly streak: number
  readonly mustSummarize: boolean
  /** What the session has mentioned so far. */
  readonly memory: IdentifierMemory
}

/**
 * What stands in the summary message: the prose, the user's own words and the identifiers that the prose
 * dropped. Everything is redacted before it is read. The text is null when everything has to be kept.
 */
export async function writeBody(input: WriteBodyInput): Promise<WrittenSummary> {
  const { plan, call, profile, tokens } = input
  const { room, boundaries, materialTokens } = plan
  if (plan.material.length === 0) {
    return { text: redactSecrets(boundaries.previousSummary ?? ''), writer: 'nobody', warnings: [] }
  }
  const material = plan.material.map((message: Message) => redactMessage(message))
  const earlier = parseSummaryBody(redactSecrets(boundaries.previousSummary ?? ''))
  const written = await writeSummary({
    model: input.model,
    messages: material,
    previousSummary: earlier.prose === '' ? undefined : earlier.prose,
    focusTopic: call.focusTopic,
    memoryContext: call.memoryContext,
    maxTokens: summaryTokens(room, profile, materialTokens),
    tokens,
    signal: call.signal,
    streak: input.streak,
    mustSummarize: input.mustSummarize,
  })
  if (written.text === null) return written

  const prose = written.text
  const userMessages = keepUserMessages(earlier.userMessages, material, room.userMessages, tokens)
  // What leaves the block of the user's words now was not listed while it stood there.
  const leaving = earlier.userMessages.filter((text) => !userMessages.includes(text))
  const identifiers = identifierAppendix({
    messages: [...leaving.map((content): Message => ({ role: 'user', content })), ...material],
    covered: [prose, ...userMessages].join('\n'),
    visible: plan.tail.messages,
    // Values that an earlier summary listed and the new one drops are caught here.
    previousAppendix: `${earlier.identifiers}\n${earlier.prose}`,
    memory: input.memory,
    scope: 'conversation',
    maxTokens: room.identifiers,
    tokens,
  })
  return { ...written, text: formatSummaryBody({ prose, userMessages, identifiers }) }
}
