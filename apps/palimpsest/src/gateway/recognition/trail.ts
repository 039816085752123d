import { hash } from 'node:crypto'
import {
  isInstruction,
  type Message,
  messageText,
  toolCallInput,
  toolCallName,
  toolCallsOf,
} from '@palimpsest/core'
import { parseJson } from '../parse-json.ts'

/** Characters of a hash: 96 bits, so that no two lists of anybody's are taken for the same. */
const HASH_LENGTH = 16

/**
 * What a client's list is recognised by: one hash a message, each of everything up to there. System prompts at the
 * beginning are left out, because some have the time in them.
 */
export interface Trail {
  readonly hashes: readonly string[]
  /** Indexes in `hashes` of the messages of the user, at which turns begin. */
  readonly users: readonly number[]
}

export const EMPTY_TRAIL: Trail = { hashes: [], users: [] }

/** The messages behind the system prompts at the beginning. */
export function spoken(messages: readonly Message[]): readonly Message[] {
  const first = messages.findIndex((message) => !isInstruction(message))
  return first === -1 ? [] : messages.slice(first)
}

/** The trail with messages behind it. */
export function extendTrail({ hashes, users }: Trail, messages: readonly Message[]): Trail {
  const all = [...hashes]
  const turns = [...users]
  for (const message of messages) {
    if (message.role === 'user') turns.push(all.length)
    all.push(digest(`${all.at(-1) ?? ''}\n${canonical(message)}`))
  }
  return { hashes: all, users: turns }
}

/** How many messages at the beginning of two lists are the same. */
export function commonLength(a: readonly string[], b: readonly string[]): number {
  let low = 0
  let high = Math.min(a.length, b.length)
  // Each hash stands for all before it, so the first difference can be searched for.
  while (low < high) {
    const middle = (low + high + 1) >>> 1
    if (a[middle - 1] === b[middle - 1]) low = middle
    else high = middle - 1
  }
  return low
}

export function digest(text: string): string {
  return hash('sha256', text, 'base64url').slice(0, HASH_LENGTH)
}

/**
 * A message as far as it tells conversations apart. Clients send an answer back in their own words: without what they
 * do not know, arguments written anew, null for an empty text.
 */
function canonical(message: Message): string {
  const calls = toolCallsOf(message).map((call) => {
    const input = toolCallInput(call)
    return [call.id, toolCallName(call), parseJson(input) ?? input]
  })
  const { role, content } = message
  if (role === 'assistant') return JSON.stringify([role, messageText(message).trim(), calls])
  const said = typeof content === 'string' ? content : (content ?? []).map(withoutMark)
  return JSON.stringify([role, said, role === 'tool' ? message.tool_call_id : null])
}

/** Clients move their cache markers with every request. */
function withoutMark(part: object): object {
  const { cache_control: _, ...rest } = part as { readonly cache_control?: unknown }
  return rest
}
