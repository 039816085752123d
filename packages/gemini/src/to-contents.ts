import type { Content, Part } from '@google/genai'
import {
  contentParts,
  isInstruction,
  isObject,
  type Message,
  ModelError,
  messageText,
  toolTransactions,
} from '@palimpsest/core'
import { assistantParts } from './assistant-parts.ts'
import { contentToPart } from './content-to-part.ts'
import type { AnyContentPart } from './media-part.ts'
import { readCalls } from './read-call.ts'
import { toolResultParts } from './tool-result-parts.ts'

/** A conversation in Gemini's words. */
export interface GeminiPrompt {
  readonly contents: Content[]
  readonly systemInstruction?: Content
}

/**
 * Translates messages. Neighbours of one role become one content, because a call must directly follow the user or a
 * tool result; for the same reason a conversation that begins with the model gets a user's line before it. Throws
 * `MODEL_INVALID_REQUEST` when nothing is left to send.
 */
export function toContents(messages: readonly Message[], model: string): GeminiPrompt {
  const known = messages.filter(isObject) as unknown as Message[]
  const contents: Content[] = []
  const append = (role: 'user' | 'model', parts: Part[]) => {
    const last = contents.at(-1)
    if (parts.length === 0) return
    if (last?.role === role) last.parts?.push(...parts)
    else contents.push({ role, parts })
  }
  for (const { start, end } of toolTransactions(known)) {
    const message = known[start]
    if (message === undefined || isInstruction(message)) continue
    const results = known.slice(start + 1, end)
    if (message.role === 'assistant') {
      const calls = readCalls(message)
      append('model', assistantParts(message, calls, model))
      append('user', toolResultParts(calls, results))
    } else if (message.role === 'tool') append('user', toolResultParts([], [message]))
    else
      append(
        'user',
        contentParts(message).flatMap((part) => contentToPart(part as AnyContentPart) ?? []),
      )
  }
  if (contents[0]?.role === 'model')
    contents.unshift({ role: 'user', parts: [{ text: '[the beginning of the conversation is not shown]' }] })
  if (contents.length === 0)
    throw new ModelError(
      'invalid-request',
      'there is nothing to send: no message of a user, assistant or tool',
    )
  const instructions = known.filter(isInstruction).map(messageText).filter(Boolean)
  return instructions.length === 0
    ? { contents }
    : { contents, systemInstruction: { parts: instructions.map((text) => ({ text })) } }
}
