import { countMessages } from '../budget/count-messages.ts'
import { snapshotMessage } from '../messages/copy-message.ts'
import { isObject } from '../messages/loose.ts'
import type { CompressResult } from '../spec/v1/compress-result.ts'
import type { Message } from '../spec/v1/message.ts'
import type { Origin } from '../spec/v1/origin.ts'
import type { TokenCounter } from '../spec/v1/token-counter.ts'
import type { Warning } from '../spec/v1/warning.ts'

/**
 * The session's own frozen copy of an engine's result, with missing numbers filled in. For every outcome but
 * `compacted` the messages are those of the call. Origins stay unread.
 *
 * @throws TypeError, or what reading it throws, when it is no result of a compaction.
 */
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
    ...(value.origins !== undefined && { origins: value.origins as readonly Origin[] }),
  }
}

/** The warnings of an engine; what is none is left out. */
export function readWarnings(value: unknown): readonly Warning[] {
  return Array.isArray(value) ? value.filter(isWarning) : []
}

function isWarning(value: unknown): value is Warning {
  return isObject(value) && typeof value.code === 'string' && typeof value.message === 'string'
}

function numberOr(value: unknown, otherwise: () => number): number {
  return typeof value === 'number' && Number.isFinite(value) ? value : otherwise()
}
