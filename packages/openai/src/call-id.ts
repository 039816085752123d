import { createHash } from 'node:crypto'
import type { Message } from '@palimpsest/core'
import type { PartialCall } from './answer.ts'
import { isObject } from './loose.ts'

/** What makes an id: the same facts give the same id. */
export interface CallOrigin {
  /** The id of the response, if it has one. */
  readonly responseId: string | undefined
  /** The messages that the model answered. */
  readonly messages: readonly Message[]
}

/**
 * Gives ids to the calls of one response: the server's own where it is new in the conversation, else a hash of what
 * was answered and what it says. Some local servers give none, and some begin with `call_0` again in every answer.
 */
export function createCallIds({ responseId, messages }: CallOrigin): (call: PartialCall) => string {
  const taken = new Set<unknown>(messages.flatMap(callIds))
  return (call) => {
    const facts = JSON.stringify([responseId ?? null, messages.length, call.name, call.args])
    let id = call.id === '' ? hashId(facts) : call.id
    for (let attempt = 1; taken.has(id); attempt++) id = hashId(`${facts}${attempt}`)
    taken.add(id)
    return id
  }
}

function hashId(facts: string): string {
  return `call-${createHash('sha256').update(facts).digest('hex').slice(0, 16)}`
}

function callIds(message: Message): unknown[] {
  if (!isObject(message) || message.role !== 'assistant' || !Array.isArray(message.tool_calls)) return []
  return message.tool_calls.map((call: unknown) => (isObject(call) ? call.id : undefined))
}
