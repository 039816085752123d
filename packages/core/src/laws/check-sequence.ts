import { isInstruction } from '../messages/instructions.ts'
import { jsonText } from '../messages/json-value.ts'
import { toolCallsOf } from '../messages/message-text.ts'
import { toolTransactions } from '../messages/tool-transactions.ts'
import type { Message } from '../spec/v1/message.ts'
import { checkMessage } from './check-message.ts'
import type { Violation } from './violation.ts'

export interface SequenceOptions {
  /** Allow the last message's calls to have no results yet, as between a call and its tools. Default false. */
  readonly inFlight?: boolean
}

/**
 * Law 2 as far as a list shows it by itself: known roles, the system prompt first and alone, every tool result
 * directly behind its call, every call answered once, arguments that parse. Linear; no repair.
 */
export function checkSequence(
  messages: readonly Message[],
  { inFlight = false }: SequenceOptions = {},
): Violation[] {
  const violations: Violation[] = []
  for (const [index, message] of messages.entries()) {
    for (const fault of checkMessage(message)) violations.push({ ...fault, index })
    if (index > 0 && isInstruction(message)) {
      violations.push({
        law: 2,
        code: 'SYSTEM_NOT_FIRST',
        index,
        message: 'the system prompt must be first and alone',
      })
    }
  }
  if (violations.some(({ code }) => code === 'NOT_A_MESSAGE')) return violations
  for (const { start, end } of toolTransactions(messages)) {
    const mayLack = inFlight && end === messages.length
    for (const violation of checkTransaction(messages, start, end, mayLack)) violations.push(violation)
  }
  return violations.sort((a, b) => a.index - b.index)
}

function checkTransaction(
  messages: readonly Message[],
  start: number,
  end: number,
  inFlight: boolean,
): Violation[] {
  const first = messages[start]
  if (first === undefined) return []
  if (first.role === 'tool') return [orphan(start, first.tool_call_id)]
  const calls = toolCallsOf(first)
  if (calls.length === 0) return []
  const violations: Violation[] = []
  const open = new Set(calls.map((call) => call.id))
  const answered = new Set<string>()
  for (let index = start + 1; index < end; index++) {
    const result = messages[index]
    if (result?.role !== 'tool') continue
    if (open.delete(result.tool_call_id)) answered.add(result.tool_call_id)
    else if (answered.has(result.tool_call_id)) {
      violations.push({
        law: 2,
        code: 'DUPLICATE_RESULT',
        index,
        message: `call ${jsonText(result.tool_call_id)} has a second result`,
      })
    } else violations.push(orphan(index, result.tool_call_id))
  }
  if (inFlight) return violations
  for (const id of open) {
    violations.push({
      law: 2,
      code: 'MISSING_RESULT',
      index: start,
      message: `call ${jsonText(id)} has no result`,
    })
  }
  return violations
}

function orphan(index: number, id: unknown): Violation {
  return { law: 2, code: 'ORPHAN_RESULT', index, message: `result ${jsonText(id)} does not follow its call` }
}
