import { countMessages } from '../budget/count-messages.ts'
import { changedFrom } from '../messages/changed-from.ts'
import type { CompressResult } from '../spec/compress-result.ts'
import type { Message } from '../spec/message.ts'
import type { TokenCounter } from '../spec/token-counter.ts'
import type { Violation } from './violation.ts'

/**
 * The laws that a result of `compress` shows: 5 (`compacted` means fewer tokens, anything else changes
 * nothing, `changedFrom` is true) and 6 (no part that can change is shared with the input).
 */
export function checkCompression(
  input: readonly Message[],
  result: CompressResult,
  tokens: TokenCounter,
): Violation[] {
  const violations: Violation[] = []
  const first = changedFrom(input, result.messages)
  if (result.outcome === 'compacted') {
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
        message: `changedFrom says ${result.changedFrom}`,
      })
    }
  } else if (first < Math.max(input.length, result.messages.length)) {
    violations.push({
      law: 5,
      code: 'CHANGED_WITHOUT_COMPACTION',
      index: first,
      message: `the outcome is ${result.outcome}`,
    })
  }
  const own = new Set<unknown>()
  for (const message of input) collectMutable(message, own)
  result.messages.forEach((message, index) => {
    const mine = new Set<unknown>()
    collectMutable(message, mine)
    if (![...mine].some((value) => own.has(value))) return
    violations.push({
      law: 6,
      code: 'SHARED_MUTABLE',
      index,
      message: 'the message shares a part that can change with the input',
    })
  })
  return violations
}

function collectMutable(value: unknown, into: Set<unknown>): void {
  if (typeof value !== 'object' || value === null || into.has(value)) return
  if (!Object.isFrozen(value)) into.add(value)
  for (const member of Object.values(value)) collectMutable(member, into)
}
