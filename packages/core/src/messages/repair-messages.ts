import { InvalidMessagesError } from '../errors/errors.ts'
import {
  checkMessage,
  checkSequence,
  isJson,
  isPart,
  isSound,
  type ViolationCode,
} from '../invariants/check-sequence.ts'
import type { Message, SystemMessage, ToolCall, ToolMessage } from '../spec/v1/index.ts'
import { isInstruction, leadingInstructions, mergeInstructions, toUserMessage } from './instructions.ts'
import { copyMessages, freezeMessage, jsonText } from './json-value.ts'
import { toolCallInput, toolCallsOf } from './message-parts.ts'

/**
 * A valid form of one message: the same object if it is valid, undefined if its role is unknown or it is not an object.
 * Content of a wrong type becomes JSON text. Each change adds an entry to `changes`.
 */
export function repairMessage(message: Message, changes: string[]): Message | undefined {
  const faults = checkMessage(message)
  if (faults.length === 0) return message
  const codes = new Set(faults.map(({ code }) => code))
  if (codes.has('NOT_A_MESSAGE') || codes.has('UNKNOWN_ROLE')) {
    changes.push(`left a message out of the request: ${faults[0]?.message}`)
    return undefined
  }
  const repaired: Record<string, unknown> = { ...message }
  if (codes.has('INVALID_CONTENT')) {
    changes.push(`wrote content of a wrong type as text, in a ${message.role} message`)
    repaired.content = usableContent(message.content)
  }
  if (codes.has('INVALID_CALL') || codes.has('DUPLICATE_CALL_ID') || codes.has('INVALID_ARGUMENTS')) {
    const calls = usableCalls(message, changes)
    if (calls.length > 0) repaired.tool_calls = calls
    else delete repaired.tool_calls
  }
  return repaired as unknown as Message
}

function usableContent(content: unknown): unknown {
  if (!Array.isArray(content)) return content === null || content === undefined ? '' : jsonText(content)
  return Array.from(content, (part) => {
    if (isPart(part)) return part
    const { type, text } = (part ?? {}) as { type?: unknown; text?: unknown }
    return { type: 'text', text: type === 'text' ? jsonText(text) : jsonText(part) }
  })
}

function usableCalls(message: Message, changes: string[]): ToolCall[] {
  const ids = new Set<string>()
  const usable: ToolCall[] = []
  for (const call of toolCallsOf(message)) {
    const name: unknown = call.type === 'custom' ? call.custom?.name : call.function?.name
    if (typeof call.id !== 'string' || typeof name !== 'string') {
      changes.push('removed a tool call without an id or a name')
    } else if (ids.has(call.id)) {
      changes.push(`removed a second call with the id ${call.id}`)
    } else {
      ids.add(call.id)
      usable.push(withUsableInput(call, changes))
    }
  }
  if (usable.length === 0) changes.push('removed tool_calls that hold no usable call')
  return usable
}

function withUsableInput(call: ToolCall, changes: string[]): ToolCall {
  const text = toolCallInput(call)
  if (call.type === 'custom') {
    if (typeof call.custom.input === 'string') return call
    changes.push(`wrote the input of a call as text: ${call.id}`)
    return { ...call, custom: { ...call.custom, input: text } }
  }
  if (typeof call.function.arguments === 'string' && isJson(text)) return call
  changes.push(`wrapped arguments that are not JSON: ${call.id}`)
  const input = text.trim() === '' ? '{}' : isJson(text) ? text : JSON.stringify({ _raw: text })
  return { ...call, function: { ...call.function, arguments: input } }
}

/** The result given to a call that has none on record. */
export const MISSING_RESULT_TEXT = '[no result was recorded for this call]'

export interface Repair {
  readonly messages: Message[]
  readonly changes: readonly string[]
}

export interface RepairOptions {
  readonly inFlight?: boolean
}

/**
 * Repairs a list so that every provider accepts it. Each result follows its call, once; a result without a call is
 * removed; a call without a result gets a placeholder. Invalid arguments become JSON that carries their text, and
 * content of a wrong type becomes text. System prompts at the start are joined, later ones become tagged user messages,
 * and messages of unknown roles are removed. Idempotent and linear; never throws on a list; valid messages stay the
 * same objects.
 */
export function repairMessages(messages: readonly Message[], options: RepairOptions = {}): Repair {
  const changes: string[] = []
  const usable = withOneSystemPrompt(
    Array.from(messages, (message) => repairMessage(message, changes)).filter(
      (message) => message !== undefined,
    ),
    changes,
  )
  const repaired: Message[] = []
  let index = 0
  for (let message = usable[index]; message !== undefined; message = usable[index]) {
    index++
    if (message.role === 'tool') {
      changes.push(`removed a tool result without a call: ${jsonText(message.tool_call_id)}`)
      continue
    }
    repaired.push(message)
    const calls = toolCallsOf(message)
    if (calls.length === 0) continue
    const results = takeResults(usable, index, calls, changes)
    index = results.end
    for (const result of results.found.values()) repaired.push(result)
    if (options.inFlight === true && index === usable.length) continue
    for (const { id } of calls) {
      if (results.found.has(id)) continue
      changes.push(`added a result for the unanswered call ${id}`)
      repaired.push({ role: 'tool', tool_call_id: id, content: MISSING_RESULT_TEXT })
    }
  }
  return { messages: repaired, changes }
}

function withOneSystemPrompt(messages: Message[], changes: string[]): readonly Message[] {
  const lead = leadingInstructions(messages)
  const [first] = messages
  if (lead <= 1 && !messages.some((message, index) => index > 0 && isInstruction(message))) return messages
  const rest = messages.slice(lead).map((message): Message => {
    if (!isInstruction(message)) return message
    changes.push('turned a system prompt that was not at the beginning into a user message')
    return toUserMessage(message)
  })
  if (!isInstruction(first)) return rest
  if (lead > 1) changes.push(`joined the ${lead} system prompts at the beginning into one`)
  return [mergeInstructions(first, messages.slice(1, lead) as SystemMessage[]), ...rest]
}

interface Results {
  readonly found: ReadonlyMap<string, ToolMessage>
  readonly end: number
}

function takeResults(
  messages: readonly Message[],
  from: number,
  calls: readonly ToolCall[],
  changes: string[],
): Results {
  const ids = new Set(calls.map((call) => call.id))
  const found = new Map<string, ToolMessage>()
  let end = from
  for (let message = messages[end]; message?.role === 'tool'; message = messages[++end]) {
    const id = message.tool_call_id
    const known = found.get(id)
    if (ids.has(id) && known === undefined) found.set(id, message)
    else if (known?.content === MISSING_RESULT_TEXT && message.content !== MISSING_RESULT_TEXT) {
      changes.push(`took a late result for the call ${id}`)
      found.set(id, message)
    } else changes.push(`removed a second or foreign tool result: ${jsonText(id)}`)
  }
  return { found, end }
}

const FATAL: ReadonlySet<ViolationCode> = new Set([
  'NOT_A_MESSAGE',
  'UNKNOWN_ROLE',
  'INVALID_CONTENT',
  'INVALID_CALL',
])

/**
 * Prepares the list of a `compress` call: frozen, with broken pairs repaired. Calls at the end may lack results.
 *
 * @throws InvalidMessagesError that names the index and the fault, for a wrong role or content, or a value that is not
 * a list.
 */
export function readMessages(messages: readonly Message[]): readonly Message[] {
  if (!Array.isArray(messages)) throw new InvalidMessagesError('messages must be a list')
  if (isSound(messages)) return messages
  const faults = checkSequence(messages, { inFlight: true })
  const fatal = faults.find(({ code }) => FATAL.has(code))
  if (fatal !== undefined) throw new InvalidMessagesError(`messages[${fatal.index}]: ${fatal.message}`)
  const frozen = copyMessages(messages).map(freezeMessage)
  return faults.length === 0 ? frozen : repairMessages(frozen, { inFlight: true }).messages.map(freezeMessage)
}
