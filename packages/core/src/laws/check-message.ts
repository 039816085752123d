import { jsonText } from '../messages/json-value.ts'
import { isObject } from '../messages/loose.ts'
import type { Message } from '../spec/v1/message.ts'
import type { Violation, ViolationCode } from './violation.ts'

const ROLES: ReadonlySet<unknown> = new Set(['system', 'developer', 'user', 'assistant', 'tool'])

/** A fault of one message by itself; the caller adds `index`. */
export type MessageFault = Omit<Violation, 'index'>

/** Checks one message without its neighbours: role, content, calls. */
export function checkMessage(message: Message): readonly MessageFault[] {
  if (!isObject(message)) return [fault('NOT_A_MESSAGE', 'a message must be an object')]
  if (!ROLES.has(message.role)) {
    const role = jsonText(message.role) || typeof message.role
    return [fault('UNKNOWN_ROLE', `the role "${role}" is none of system, developer, user, assistant, tool`)]
  }
  const faults: MessageFault[] = []
  if (!isContent(message)) {
    faults.push(
      fault('INVALID_CONTENT', `content of a ${message.role} message must be a string or a list of parts`),
    )
  }
  if (message.role === 'assistant' && message.tool_calls !== undefined && message.tool_calls !== null) {
    faults.push(...checkCalls(message.tool_calls))
  }
  return faults
}

function isContent({ role, content }: Message): boolean {
  if (content === null || content === undefined) return role === 'assistant'
  return typeof content === 'string' || (Array.isArray(content) && Array.from<unknown>(content).every(isPart))
}

/** True for a content part that a provider could take: an object with a type, and with a text where it must have one. */
export function isPart(part: unknown): boolean {
  if (typeof part !== 'object' || part === null) return false
  const { type, text } = part as { type?: unknown; text?: unknown }
  return typeof type === 'string' && (type !== 'text' || typeof text === 'string')
}

function checkCalls(calls: unknown): MessageFault[] {
  if (!Array.isArray(calls)) return [fault('INVALID_CALL', 'tool_calls must be a list')]
  const faults: MessageFault[] = []
  const ids = new Set<string>()
  for (const call of calls) {
    const text = call?.type === 'custom' ? call.custom?.input : call?.function?.arguments
    const name = call?.type === 'custom' ? call.custom?.name : call?.function?.name
    if (typeof call?.id !== 'string' || typeof name !== 'string' || typeof text !== 'string') {
      faults.push(fault('INVALID_CALL', 'a tool call needs an id, a name and arguments as text'))
      continue
    }
    if (ids.has(call.id))
      faults.push(
        fault('DUPLICATE_CALL_ID', `two calls of one message have the id ${JSON.stringify(call.id)}`),
      )
    ids.add(call.id)
    if (call.type !== 'custom' && !isJson(text)) {
      faults.push(
        fault('INVALID_ARGUMENTS', `the arguments of ${JSON.stringify(call.id)} are not valid JSON`),
      )
    }
  }
  return faults
}

/** True when the text parses as JSON. An empty text does not. */
export function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

function fault(code: ViolationCode, message: string): MessageFault {
  return { law: 2, code, message }
}
