import { countMessages } from '../budget/count-tokens.ts'
import { changedFrom, copyMessages, isObject, snapshotMessage } from '../messages/json-value.ts'
import type { CompressOutcome, CompressResult, Message, TokenCounter, Warning } from '../spec/v1/index.ts'

export interface CompactedInput {
  readonly before: readonly Message[]
  readonly after: readonly Message[]
  readonly tokens: TokenCounter
  readonly reason: string
  readonly warnings?: readonly Warning[]
  readonly summary?: string
}

/**
 * Builds the result of a compaction. It computes `changedFrom`, copies what the caller could mutate, and returns
 * `unchanged` if the projection did not shrink.
 */
export function compactedResult({
  before,
  after,
  tokens,
  reason,
  warnings = [],
  summary,
}: CompactedInput): CompressResult {
  const tokensBefore = countMessages(tokens, before)
  const tokensAfter = countMessages(tokens, after)
  if (tokensAfter >= tokensBefore) return keptResult('unchanged', 'no-gain', before, tokens, warnings)
  return {
    outcome: 'compacted',
    reason,
    messages: copyMessages(after),
    tokensBefore,
    tokensAfter,
    changedFrom: changedFrom(before, after),
    warnings,
    ...(summary !== undefined && { summary }),
  }
}

/** The result of a compaction that changed nothing. */
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

export function readCompressResult(
  value: unknown,
  before: readonly Message[],
  tokens: TokenCounter,
): CompressResult {
  if (!isObject(value)) throw new TypeError('compress() did not return a result')
  const { outcome, reason, summary, warnings } = value
  const shared = {
    reason: typeof reason === 'string' ? reason : 'no-reason-given',
    tokensBefore: numberOr(value.tokensBefore, () => countMessages(tokens, before)),
    warnings: readWarnings(warnings),
    ...(typeof summary === 'string' && { summary }),
  }
  if (outcome === 'unchanged' || outcome === 'aborted' || outcome === 'deferred') {
    const { tokensBefore } = shared
    return { ...shared, outcome, messages: before, tokensAfter: tokensBefore, changedFrom: before.length }
  }
  if (outcome !== 'compacted') throw new TypeError(`compress() returned the unknown outcome ${outcome}`)
  if (!Array.isArray(value.messages)) throw new TypeError('compress() returned no list of messages')
  const messages = Array.from(value.messages as Message[], (message) => snapshotMessage(message))
  return {
    ...shared,
    outcome,
    messages: Object.freeze(messages),
    tokensAfter: numberOr(value.tokensAfter, () => countMessages(tokens, messages)),
    changedFrom: numberOr(value.changedFrom, () => -1),
  }
}

export function readWarnings(value: unknown): readonly Warning[] {
  return Array.isArray(value) ? value.filter(isWarning) : []
}

function isWarning(value: unknown): value is Warning {
  return isObject(value) && typeof value.code === 'string' && typeof value.message === 'string'
}

function numberOr(value: unknown, otherwise: () => number): number {
  return typeof value === 'number' && Number.isFinite(value) ? value : otherwise()
}
