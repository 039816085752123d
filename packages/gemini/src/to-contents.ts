import type { Content, Part } from '@google/genai'
import {
  type AssistantMessage,
  contentParts,
  isInstruction,
  isObject,
  type Message,
  ModelError,
  messageText,
  toolTransactions,
} from '@palimpsest/core'
import { type AnyContentPart, contentToPart, mediaPart } from './media-part.ts'
import { requiresCallSignature } from './model-traits.ts'
import { geminiData, signatureOf } from './provider-data.ts'
import { type CallFacts, readCalls, wireId } from './read-call.ts'

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

/**
 * A value that Google documents for calls that the model did not make itself, or whose signature is gone: it is
 * accepted in place of one (https://ai.google.dev/gemini-api/docs/thought-signatures).
 */
const absentSignature = 'skip_thought_signature_validator'

/**
 * The parts of an assistant message in the order in which the model wrote them: thoughts that are signed, then
 * content and calls. Thoughts without a signature are not sent: they are a summary for people.
 */
function assistantParts(message: AssistantMessage, calls: readonly CallFacts[], model: string): Part[] {
  const parts = signedThoughts(message)
  let next = 0
  // Calls keep their order whatever their positions say, because their results are sent in that order.
  const addCalls = (position: number) => {
    for (let call = calls[next]; call !== undefined && positionOf(call) <= position; call = calls[++next])
      parts.push(callPart(call, next === 0 && requiresCallSignature(model)))
  }
  const content: readonly AnyContentPart[] = [...contentParts(message), ...refusalOf(message)]
  for (const [index, part] of content.entries()) {
    addCalls(index)
    const converted = contentToPart(part)
    if (converted !== undefined) parts.push(converted)
  }
  addCalls(Infinity)
  return parts
}

/** The number of content parts before a call. */
function positionOf({ data }: CallFacts): number {
  return typeof data.contentBefore === 'number' ? data.contentBefore : Infinity
}

function callPart(call: CallFacts, mustBeSigned: boolean): Part {
  const functionCall = { ...wireId(call), name: call.name, args: call.args }
  return {
    functionCall,
    ...(mustBeSigned ? { thoughtSignature: absentSignature } : {}),
    ...signatureOf(call.data),
  }
}

function signedThoughts(message: AssistantMessage): Part[] {
  const { reasoning } = geminiData(message)
  if (!Array.isArray(reasoning)) return []
  return reasoning.filter(isObject).flatMap((thought) => {
    const signature = signatureOf(thought)
    const text = typeof thought.text === 'string' ? thought.text : ''
    return signature.thoughtSignature === undefined ? [] : { text, thought: true, ...signature }
  })
}

/** The refusal that OpenAI keeps beside the content. */
function refusalOf(message: AssistantMessage): AnyContentPart[] {
  return typeof message.refusal === 'string' ? [{ type: 'refusal', refusal: message.refusal }] : []
}

/**
 * The results of one transaction as the parts of one content: one `functionResponse` for each call, in the order of
 * the calls, because Gemini pairs calls without ids by position and counts both. A call without a result gets an
 * error that says so. Results of other calls follow as text, then images.
 */
function toolResultParts(calls: readonly CallFacts[], results: readonly Message[]): Part[] {
  const waiting = new Set(results)
  const responses = calls.map((call): Part => {
    const result = results.find((message) => waiting.has(message) && callIdOf(message) === call.id)
    if (result !== undefined) waiting.delete(result)
    const response =
      result === undefined ? { error: 'no result was recorded' } : responseOf(messageText(result))
    return { functionResponse: { ...wireId(call), name: call.name, response } }
  })
  return [...responses, ...[...waiting].map(strayResult), ...results.flatMap(mediaOf)]
}

function callIdOf(message: Message): unknown {
  return message.role === 'tool' ? message.tool_call_id : undefined
}

/** A result whose call is not in the conversation any more. Gemini knows no such thing; its text is kept. */
function strayResult(message: Message): Part {
  return { text: `[result of a tool call that is not shown]\n${messageText(message)}` }
}

function mediaOf(message: Message): Part[] {
  return contentParts(message).flatMap((part) => mediaPart(part as AnyContentPart) ?? [])
}

/** A JSON object goes as it is, so that its `error` member is understood; every other text under `output`. */
function responseOf(text: string): Record<string, unknown> {
  try {
    let exact = true
    const value: unknown = JSON.parse(text, (_key, member: unknown) => {
      if (typeof member === 'number' && !isExact(member)) exact = false
      return member
    })
    if (exact && isObject(value)) return value
  } catch {}
  return { output: text }
}

/** False for numbers that JSON text can hold and a double cannot: long ids must reach the model digit by digit. */
function isExact(number: number): boolean {
  return Number.isFinite(number) && (!Number.isInteger(number) || Number.isSafeInteger(number))
}
