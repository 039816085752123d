import { isInstruction } from '../messages/instructions.ts'
import { isDeepFrozen, isObject, jsonText } from '../messages/json-value.ts'
import { firstTransactions, toolCallsOf } from '../messages/message-parts.ts'
import type { Message } from '../spec/v1/index.ts'

/** A violated invariant. */
export interface Violation {
  /** The invariant's number in `docs/design.md`, section 4. */
  readonly invariant: 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11
  readonly code: ViolationCode
  /** Index of the faulty message in the checked list; the list's length for a missing message. */
  readonly index: number
  readonly message: string
}

export type ViolationCode =
  | 'NOT_A_MESSAGE'
  | 'UNKNOWN_ROLE'
  | 'INVALID_CONTENT'
  | 'SYSTEM_NOT_FIRST'
  | 'ORPHAN_RESULT'
  | 'DUPLICATE_RESULT'
  | 'MISSING_RESULT'
  | 'INVALID_CALL'
  | 'DUPLICATE_CALL_ID'
  | 'INVALID_ARGUMENTS'
  | 'WRONG_ID'
  | 'UNKNOWN_CALL_ID'
  | 'SPLIT_TRANSACTION'
  | 'ADJACENT_TURNS'
  | 'SYSTEM_CHANGED'
  | 'NOTE_REPEATED'
  | 'LAST_USER_CHANGED'
  | 'NOT_SMALLER'
  | 'CHANGED_WITHOUT_COMPACTION'
  | 'WRONG_CHANGED_FROM'
  | 'SHARED_MUTABLE'

const ROLES: ReadonlySet<unknown> = new Set(['system', 'developer', 'user', 'assistant', 'tool'])

function isPlain(message: Message): boolean {
  if (!isObject(message) || !ROLES.has(message.role) || typeof message.content !== 'string') return false
  return message.role !== 'assistant' || (message.tool_calls ?? undefined) === undefined
}

/** Checks one message without its neighbours: role, content, calls. The caller adds `index`. */
export function checkMessage(message: Message): readonly Omit<Violation, 'index'>[] {
  if (isPlain(message)) return []
  const violations: Omit<Violation, 'index'>[] = []
  const add = (code: ViolationCode, text: string) => violations.push({ invariant: 2, code, message: text })
  if (!isObject(message)) {
    add('NOT_A_MESSAGE', 'a message must be an object')
    return violations
  }
  const { role } = message
  if (!ROLES.has(role)) {
    const shown = jsonText(role) || typeof role
    add('UNKNOWN_ROLE', `the role "${shown}" is none of system, developer, user, assistant, tool`)
    return violations
  }
  if (!isContent(message))
    add('INVALID_CONTENT', `content of a ${role} message must be a string or a list of parts`)
  const calls: unknown = message.role === 'assistant' ? (message.tool_calls ?? []) : []
  if (!Array.isArray(calls)) add('INVALID_CALL', 'tool_calls must be a list')
  const ids = new Set<string>()
  for (const call of Array.isArray(calls) ? calls : []) {
    const { id } = call ?? {}
    const isCustom = call?.type === 'custom'
    const text = isCustom ? call.custom?.input : call?.function?.arguments
    const name = isCustom ? call.custom?.name : call?.function?.name
    if (typeof id !== 'string' || typeof name !== 'string' || typeof text !== 'string') {
      add('INVALID_CALL', 'a tool call needs an id, a name and arguments as text')
      continue
    }
    if (ids.has(id)) add('DUPLICATE_CALL_ID', `two calls of one message have the id ${JSON.stringify(id)}`)
    ids.add(id)
    if (!isCustom && !isJson(text))
      add('INVALID_ARGUMENTS', `the arguments of ${JSON.stringify(id)} are not valid JSON`)
  }
  return violations
}

function isContent({ role, content }: Message): boolean {
  if (content === null || content === undefined) return role === 'assistant'
  return typeof content === 'string' || (Array.isArray(content) && Array.from<unknown>(content).every(isPart))
}

export function isPart(part: unknown): boolean {
  if (typeof part !== 'object' || part === null) return false
  const { type, text } = part as { type?: unknown; text?: unknown }
  return typeof type === 'string' && (type !== 'text' || typeof text === 'string')
}

export function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

export interface SequenceOptions {
  /** Allow calls at the end without results, as while tools run. Default false. */
  readonly inFlight?: boolean
}

/** Frozen lists of frozen messages in which nothing was found: a session looks at one several times. */
const sound = new WeakSet<readonly Message[]>()

export function isSound(messages: readonly Message[]): boolean {
  return sound.has(messages)
}

/**
 * Checks invariant 2 on a list: known roles, one system prompt at the start, each tool result directly after its call,
 * each call answered once, and valid JSON arguments. Linear; repairs nothing.
 */
export function checkSequence(
  messages: readonly Message[],
  { inFlight = false }: SequenceOptions = {},
): Violation[] {
  if (isSound(messages)) return []
  const violations: Violation[] = []
  const add = (code: ViolationCode, index: number, message: string) =>
    violations.push({ invariant: 2, code, index, message })
  for (const [index, message] of messages.entries()) {
    for (const fault of checkMessage(message)) violations.push({ ...fault, index })
    if (index > 0 && isInstruction(message))
      add('SYSTEM_NOT_FIRST', index, 'the system prompt must be first and alone')
  }
  if (violations.some(({ code }) => code === 'NOT_A_MESSAGE')) return violations
  for (const { start, end } of firstTransactions(messages)) {
    const calls = toolCallsOf(messages[start] as Message)
    if (calls.length === 0 && messages[start]?.role !== 'tool') continue
    const open = new Set(calls.map(({ id }) => id))
    const answered = new Set<string>()
    for (let index = start; index < end; index++) {
      const result = messages[index]
      if (result?.role !== 'tool') continue
      const id = result.tool_call_id
      if (open.delete(id)) answered.add(id)
      else if (answered.has(id)) add('DUPLICATE_RESULT', index, `call ${jsonText(id)} has a second result`)
      else add('ORPHAN_RESULT', index, `result ${jsonText(id)} does not follow its call`)
    }
    if (inFlight && end === messages.length) continue
    for (const id of open) add('MISSING_RESULT', start, `call ${jsonText(id)} has no result`)
  }
  if (violations.length === 0 && !inFlight && Object.isFrozen(messages) && messages.every(isDeepFrozen))
    sound.add(messages)
  return violations.sort((a, b) => a.index - b.index)
}
