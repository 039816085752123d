import { createHash } from 'node:crypto'
import type { Message } from '@palimpsest/core'
import { toolCallsOf } from '@palimpsest/core'

/** The facts that an id is made of: the same facts give the same id. */
export interface CallOrigin {
  /** The beginning of ids that are made here. */
  readonly prefix: string
  /** The id of the response, if it has one. */
  readonly responseId: string | undefined
  /** The messages that the model answered. */
  readonly messages: readonly Message[]
}

/** A tool call as the provider sent it. */
export interface NamedCall {
  readonly id?: unknown
  readonly name?: unknown
  readonly args?: unknown
}

/**
 * Gives ids to the calls of one response: the provider's own where it is new in the conversation, else a hash of what
 * was answered and what the call says. Some providers give none, and some begin with `call_0` again in every answer.
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
