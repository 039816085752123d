import { createHash } from 'node:crypto'
import type { FunctionCall } from '@google/genai'
import type { Message } from '@palimpsest/core'
import { isObject } from './provider-data.ts'
import type { CallFacts } from './read-call.ts'

/** How the ids begin that this package makes, for calls to which Gemini gave none. */
const prefix = 'gemini-call-'

/** What makes an id: the same facts give the same id. */
export interface CallOrigin {
  /** The id of the response, if it has one. */
  readonly responseId: string | undefined
  /** The messages that the model answered. */
  readonly messages: readonly Message[]
}

/**
 * Gives ids to the calls of one response: Gemini's own where it is new in the conversation, else a hash of what
 * was answered and what it says. Never an id that a call of the conversation has already.
 */
export function createCallIds({ responseId, messages }: CallOrigin): (call: FunctionCall) => string {
  const taken = new Set<unknown>(messages.flatMap(callIds))
  return (call) => {
    const facts = JSON.stringify([responseId ?? null, messages.length, call.name, call.args])
    let id = typeof call.id === 'string' && call.id !== '' ? call.id : hashId(facts)
    for (let attempt = 1; taken.has(id); attempt++) id = hashId(`${facts}${attempt}`)
    taken.add(id)
    return id
  }
}

/** The field `id` of a call on the wire: what Gemini gave or another provider did, nothing for an id of our own. */
export function wireId({ id, data }: CallFacts): { readonly id?: string } {
  const given = data.id ?? id
  return typeof given === 'string' && given !== '' && !given.startsWith(prefix) ? { id: given } : {}
}

function hashId(facts: string): string {
  return prefix + createHash('sha256').update(facts).digest('hex').slice(0, 16)
}

function callIds(message: Message): unknown[] {
  if (!isObject(message) || message.role !== 'assistant' || !Array.isArray(message.tool_calls)) return []
  return message.tool_calls.map((call: unknown) => (isObject(call) ? call.id : undefined))
}
