import { countMessages } from '../budget/count-messages.ts'
import { copyMessages } from '../messages/copy-message.ts'
import { changedFrom } from '../messages/equal-values.ts'
import { stripReasoning } from '../messages/strip-reasoning.ts'
import type { CompressOutcome, CompressResult } from '../spec/v1/compress-result.ts'
import type { Message } from '../spec/v1/message.ts'
import type { TokenCounter } from '../spec/v1/token-counter.ts'
import type { Warning } from '../spec/v1/warning.ts'

export interface CompactedInput {
  readonly before: readonly Message[]
  readonly after: readonly Message[]
  readonly tokens: TokenCounter
  readonly reason: string
  readonly warnings?: readonly Warning[]
  readonly summary?: string
}

/**
 * The result of a compaction that obeys the laws for its author: reasoning behind the first change is
 * stripped, `changedFrom` is computed, nothing that can change is shared with the input, and a projection
 * that did not get smaller is `unchanged`.
 */
export function compactedResult({
  before,
  after,
  tokens,
  reason,
  warnings = [],
  summary,
}: CompactedInput): CompressResult {
  const first = changedFrom(before, after)
  const messages = after.map((message, index) => (index < first ? message : stripReasoning(message)))
  const tokensBefore = countMessages(tokens, before)
  const tokensAfter = countMessages(tokens, messages)
  if (tokensAfter >= tokensBefore) return keptResult('unchanged', 'no-gain', before, tokens, warnings)
  return {
    outcome: 'compacted',
    reason,
    messages: copyMessages(messages),
    tokensBefore,
    tokensAfter,
    // A message whose reasoning the host has not any more is the same again without it.
    changedFrom: changedFrom(before, messages),
    warnings,
    ...(summary !== undefined && { summary }),
  }
}

/** The result of a call that changed nothing. */
export function keptResult(
  outcome: Exclude<CompressOutcome, 'compacted'>,
  reason: string,
  before: readonly Message[],
  tokens: TokenCounter,
  warnings: readonly Warning[] = [],
): CompressResult {
  const count = countMessages(tokens, before)
  const messages = copyMessages(before)
  return {
    outcome,
    reason,
    messages,
    tokensBefore: count,
    tokensAfter: count,
    changedFrom: before.length,
    warnings,
  }
}
