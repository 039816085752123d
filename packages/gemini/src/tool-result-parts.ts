import type { Part } from '@google/genai'
import { contentParts, isObject, type Message, messageText } from '@palimpsest/core'
import { type AnyContentPart, mediaPart } from './media-part.ts'
import type { CallFacts } from './read-call.ts'
import { wireId } from './wire-id.ts'

/**
 * The results of one transaction as the parts of one content: one `functionResponse` for each call, in the order of
 * the calls, because Gemini pairs calls without ids by position and counts both. A call without a result gets an
 * error that says so. Results of other calls follow as text, then images.
 */
export function toolResultParts(calls: readonly CallFacts[], results: readonly Message[]): Part[] {
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
