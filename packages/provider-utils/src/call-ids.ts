import { createHash } from 'node:crypto'
import type { Message } from '@palimpsest/core'
import { toolCallsOf } from '@palimpsest/core'

/** The facts that determine an id. */
export interface CallOrigin {
  /** The prefix of generated ids. */
  readonly prefix: string
  readonly responseId: string | undefined
  readonly messages: readonly Message[]
}

/** A tool call as the provider sent it. */
export interface NamedCall {
  readonly id?: unknown
  readonly name?: unknown
  readonly args?: unknown
}

/**
 * Assigns ids to the calls of a response: the provider's own if it is new in the conversation, else a hash of the
 * messages and the call. Some providers send no ids, and some start with `call_0` in every answer.
 */
export function createCallIds({ prefix, responseId, messages }: CallOrigin): (call: NamedCall) => string {
  const taken = new Set<unknown>(messages.flatMap((message) => toolCallsOf(message).map(({ id }) => id)))
  return (call) => {
    const facts = JSON.stringify([responseId ?? null, messages.length, call.name, call.args])
    let id = typeof call.id === 'string' && call.id !== '' ? call.id : hashId(prefix, facts)
    for (let attempt = 1; taken.has(id); attempt++) id = hashId(prefix, `${facts}${attempt}`)
    taken.add(id)
    return id
  }
}

function hashId(prefix: string, facts: string): string {
  return prefix + createHash('sha256').update(facts).digest('hex').slice(0, 16)
}
