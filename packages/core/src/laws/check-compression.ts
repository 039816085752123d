import { countMessages } from '../budget/count-messages.ts'
import { isDeepFrozen } from '../messages/copy-message.ts'
import { changedFrom } from '../messages/equal-values.ts'
import { hasReasoning } from '../messages/strip-reasoning.ts'
import type { CompressResult } from '../spec/v1/compress-result.ts'
import type { Message } from '../spec/v1/message.ts'
import type { TokenCounter } from '../spec/v1/token-counter.ts'
import type { Violation } from './violation.ts'

/**
 * The laws that a result of `compress` shows: 2 (the role at the end stays, and no reasoning stays behind the first
 * change, because newer models bind it to everything before it), 5 (`compacted` means fewer tokens, anything else
 * changes nothing, `changedFrom` is true) and 6 (no part that can change is shared with the input).
 */
export function checkCompression(
  input: readonly Message[],
  result: CompressResult,
  tokens: TokenCounter,
): Violation[] {
  const violations: Violation[] = []
  const first = changedFrom(input, result.messages)
  if (result.outcome === 'compacted') {
    violations.push(...checkCompacted(input, result, tokens, first))
  } else if (first < Math.max(input.length, result.messages.length)) {
    violations.push({
      law: 5,
      code: 'CHANGED_WITHOUT_COMPACTION',
      index: first,
      message: `the messages changed although the outcome is ${result.outcome}`,
    })
  }
  return [...violations, ...checkSharing(input, result.messages)]
}

function checkSharing(input: readonly Message[], output: readonly Message[]): Violation[] {
  const own = new Set<unknown>()
  for (const message of input) if (!isDeepFrozen(message)) collectMutable(message, own)
  if (own.size === 0) return []
  return output.flatMap((message, index): Violation[] => {
    const mine = new Set<unknown>()
    collectMutable(message, mine)
    if (![...mine].some((value) => own.has(value))) return []
    const text = 'the message shares a part that can change with the input'
    return [{ law: 6, code: 'SHARED_MUTABLE', index, message: text }]
  })
}

function checkCompacted(
  input: readonly Message[],
  result: CompressResult,
  tokens: TokenCounter,
  first: number,
): Violation[] {
  const violations: Violation[] = []
  const before = countMessages(tokens, input)
  const after = countMessages(tokens, result.messages)
  if (after >= before) {
    violations.push({
      law: 5,
      code: 'NOT_SMALLER',
      index: 0,
      message: `${after} tokens after, ${before} before`,
    })
  }
  if (first !== result.changedFrom) {
    violations.push({
      law: 5,
      code: 'WRONG_CHANGED_FROM',
      index: first,
      message: `the first message that differs is ${first}, and changedFrom says ${result.changedFrom}`,
    })
  }
  const end = result.messages.at(-1)
  if (end?.role !== input.at(-1)?.role) {
    violations.push({
      law: 2,
      code: 'ADJACENT_TURNS',
      index: Math.max(0, result.messages.length - 1),
      message:
        'the last message has another role than before, so the next one may follow one of its own role',
    })
  }
  const stale = result.messages.findIndex((message, index) => index >= first && hasReasoning(message))
  if (stale !== -1) {
    violations.push({
      law: 2,
      code: 'STALE_REASONING',
      index: stale,
      message: 'reasoning was kept behind a change; strip it with stripReasoning()',
    })
  }
  return violations
}

function collectMutable(value: unknown, into: Set<unknown>): void {
  if (typeof value !== 'object' || value === null || into.has(value)) return
  if (!Object.isFrozen(value)) into.add(value)
  for (const member of Object.values(value)) collectMutable(member, into)
}
