import { isObject, type Message } from '@palimpsest/core'
import { geminiData } from './provider-data.ts'

/** A tool call as Gemini needs it. */
export interface CallFacts {
  /** The id in the transcript; it ties the call to its result. */
  readonly id: unknown
  readonly name: string
  readonly args: Record<string, unknown>
  /** The data of the model that made the call. */
  readonly data: Readonly<Record<string, unknown>>
}

/** The calls of an assistant message, in order. Entries that are not calls are left out. */
export function readCalls(message: Message): CallFacts[] {
  if (message.role !== 'assistant' || !Array.isArray(message.tool_calls)) return []
  return message.tool_calls.flatMap((call: unknown) => readCall(call) ?? [])
}

function readCall(call: unknown): CallFacts | undefined {
  if (!isObject(call)) return undefined
  const { id } = call
  const data = geminiData(call)
  if (isObject(call.custom)) {
    const { name, input } = call.custom
    return { id, name: nameOf(name), args: { input: input ?? '' }, data }
  }
  if (!isObject(call.function)) return undefined
  const { name, arguments: text } = call.function
  return { id, name: nameOf(name), args: readArguments(text), data }
}

/** Gemini refuses a call without a name. */
function nameOf(name: unknown): string {
  return typeof name === 'string' && name !== '' ? name : 'unnamed_tool'
}

/** Arguments are an object for Gemini; anything else keeps its content under `input`, as with a custom tool. */
function readArguments(text: unknown): Record<string, unknown> {
  if (text === undefined || text === null || text === '') return {}
  if (typeof text !== 'string') return isObject(text) ? text : { input: text }
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : { input: value }
  } catch {
    return { input: text }
  }
}

/** The prefix of ids that this package makes for calls to which Gemini gave none. */
export const callIdPrefix = 'gemini-call-'

/** The field `id` of a call on the wire: what Gemini gave or another provider did, nothing for an id of our own. */
export function wireId({ id, data }: CallFacts): { readonly id?: string } {
  const given = data.id ?? id
  return typeof given === 'string' && given !== '' && !given.startsWith(callIdPrefix) ? { id: given } : {}
}
