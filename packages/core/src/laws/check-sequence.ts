import { isDeepFrozen } from '../messages/copy-message.ts'
import { isInstruction } from '../messages/is-instruction.ts'
import { jsonText } from '../messages/json-value.ts'
import { toolCallsOf } from '../messages/message-text.ts'
import { toolTransactions } from '../messages/tool-transactions.ts'
import { atOnce, type Sliced } from '../session/pause.ts'
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
export function checkSequence(messages: readonly Message[], options: SequenceOptions = {}): Violation[] {
  return atOnce(checkSequenceSliced(messages, options))
}

/** Messages that are looked at before anything else has a turn: about a millisecond. */
const SLICE = 2_000

/** `checkSequence`, in slices. Of a list that begins with a sound one, only what follows is looked at. */
export function* checkSequenceSliced(
  messages: readonly Message[],
  options: SequenceOptions = {},
  beginning: readonly Message[] = [],
): Sliced<Violation[]> {
  if (isSound(messages)) return []
  if (Object.isFrozen(messages) && continues(messages, beginning)) {
    sound.add(messages)
    return []
  }
  const violations = yield* findViolations(messages, options)
  const holds = violations.length === 0 && options.inFlight !== true && Object.isFrozen(messages)
  if (holds && (yield* areDeepFrozen(messages))) sound.add(messages)
  return violations
}

/** Lists without a fault that nothing can change: that of a long session is looked at by several. */
const sound = new WeakSet<readonly Message[]>()

/** True for a list in which no fault was found and which nothing can change: what was found out about it holds for ever. */
export function isSound(messages: readonly Message[]): boolean {
  return sound.has(messages)
}

/** True for a sound list with more behind it that has no fault either, and can change as little. */
function continues(messages: readonly Message[], beginning: readonly Message[]): boolean {
  if (beginning.length === 0 || !isSound(beginning)) return false
  if (beginning.some((message, index) => message !== messages[index])) return false
  const end = Object.freeze(messages.slice(beginning.length))
  // Every call of the beginning has its results: one more would be an orphan, as it is at the beginning of a list.
  return !isInstruction(end[0]) && checkSequence(end).length === 0 && isSound(end)
}

function* areDeepFrozen(messages: readonly Message[]): Sliced<boolean> {
  for (const [index, message] of messages.entries()) {
    if (!isDeepFrozen(message)) return false
    if (index % SLICE === SLICE - 1) yield
  }
  return true
}

function* findViolations(messages: readonly Message[], options: SequenceOptions): Sliced<Violation[]> {
  const violations: Violation[] = []
  for (const [index, message] of messages.entries()) {
    if (index % SLICE === SLICE - 1) yield
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
  for (const [index, { start, end }] of toolTransactions(messages).entries()) {
    if (index % SLICE === SLICE - 1) yield
    const inFlight = options.inFlight === true && end === messages.length
    for (const violation of checkTransaction(messages, start, end, inFlight)) violations.push(violation)
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
