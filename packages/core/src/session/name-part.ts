import type { PromptPart } from '../errors/errors.ts'
import { toolCallName, toolCallsOf } from '../messages/message-text.ts'
import { findLastUser } from '../messages/own-words.ts'
import type { Message } from '../spec/v1/message.ts'
import type { TokenCounter } from '../spec/v1/token-counter.ts'
import type { TracedMessages } from './origins.ts'

export interface PromptParts {
  readonly request: TracedMessages
  readonly transcript: readonly Message[]
  readonly tokens: TokenCounter
  readonly toolTokens: number
}

/** The largest part of a prompt; undefined for one of nothing. */
export function largestPart(parts: PromptParts): PromptPart | undefined {
  const { request, tokens, toolTokens } = parts
  let largest = -1
  let size = 0
  for (const [place, message] of request.messages.entries()) {
    const count = tokens.countMessage(message)
    if (count > size) [largest, size] = [place, count]
  }
  if (toolTokens > size) return { kind: 'tools', tokens: toolTokens }
  return toPart(largest, parts)
}

/** A message of a request, by its place there, with its place in the host's list; undefined when it has none. */
export function toPart(place: number, { request, transcript, tokens }: PromptParts): PromptPart | undefined {
  const message = request.messages[place]
  if (message === undefined) return undefined
  const origin = request.origins[place]
  const index = origin?.from === 'transcript' ? origin.index : -1
  const calls =
    message.role === 'tool'
      ? request.messages.flatMap(toolCallsOf).filter(({ id }) => id === message.tool_call_id)
      : toolCallsOf(message)
  const call = message.role === 'tool' || calls.length === 1 ? calls.at(-1) : undefined
  return {
    kind: 'message',
    tokens: tokens.countMessage(message),
    role: message.role,
    isLastUser: index !== -1 && index === findLastUser(transcript),
    ...(index !== -1 && { index }),
    ...(call && { toolName: toolCallName(call), toolCallId: call.id }),
  }
}

/** A part in words: "messages[3], the result of read_file (call_1)". */
export function namePart(part: PromptPart): string {
  if (part.kind === 'tools') return 'the tools'
  return part.index === undefined
    ? 'a message that the engine wrote'
    : `messages[${part.index}], ${kindOf(part)}`
}

function kindOf({ role, toolName, toolCallId, isLastUser }: PromptPart): string {
  const call = toolCallId === undefined ? '' : ` of ${toolName || 'a tool'} (${toolCallId})`
  if (role === 'tool') return `the result${call}`
  if (role === 'assistant') return call === '' ? 'an answer' : `a call${call}`
  if (role === 'user') return isLastUser ? 'the last message of the user' : 'a message of the user'
  return 'the system prompt'
}

/** Advice to a host about a part that is too large. */
export function adviceFor(part: PromptPart | undefined): string {
  const larger = 'use a model with a larger window'
  if (part === undefined) return larger
  return `its largest part is ${namePart(part)}, with ${part.tokens} tokens: ${remedy(part)}, or ${larger}`
}

function remedy({ kind, role, index, isLastUser }: PromptPart): string {
  if (kind === 'tools') return 'offer fewer of them or describe them shorter'
  if (isLastUser) return 'shorten it or split it, because it is sent as it is'
  if (role === 'system' || role === 'developer') return 'shorten it, because it is sent as it is'
  return index === undefined ? 'begin a new conversation' : 'shorten it, begin a new conversation'
}
