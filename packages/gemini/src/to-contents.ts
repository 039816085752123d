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
import { requiresCallSignature } from './model-traits.ts'
import { geminiData, signatureOf } from './provider-data.ts'

export interface GeminiPrompt {
  readonly contents: Content[]
  readonly systemInstruction?: Content
}

/**
 * Converts messages. Adjacent messages of one role are joined, because a call must directly follow the user or a tool
 * result; for the same reason, a user's line is added before a conversation that starts with the model. Throws
 * `MODEL_INVALID_REQUEST` if nothing is left to send.
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
 * Accepted in place of a missing signature, for calls of other models
 * (https://ai.google.dev/gemini-api/docs/thought-signatures).
 */
const absentSignature = 'skip_thought_signature_validator'

/**
 * The parts in the model's original order: signed thoughts, then content and calls. Unsigned thoughts are summaries for
 * people and are not sent.
 */
function assistantParts(message: AssistantMessage, calls: readonly CallFacts[], model: string): Part[] {
  const parts = signedThoughts(message)
  let next = 0
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

function refusalOf(message: AssistantMessage): AnyContentPart[] {
  return typeof message.refusal === 'string' ? [{ type: 'refusal', refusal: message.refusal }] : []
}

/**
 * The results of one transaction as one content: one `functionResponse` for each call, in order, because Gemini pairs
 * calls without ids by position and number. A missing result becomes an error. Results of other calls follow as text,
 * then images.
 */
function toolResultParts(calls: readonly CallFacts[], results: readonly Message[]): Part[] {
  const waiting = new Set(results)
  const responses = calls.map((call): Part => {
    const result = results.find(
      (message) => waiting.has(message) && message.role === 'tool' && message.tool_call_id === call.id,
    )
    if (result !== undefined) waiting.delete(result)
    const response =
      result === undefined ? { error: 'no result was recorded' } : responseOf(messageText(result))
    return { functionResponse: { ...wireId(call), name: call.name, response } }
  })
  return [...responses, ...[...waiting].map(strayResult), ...results.flatMap(mediaOf)]
}

/** A result without its call, which Gemini does not support, becomes text. */
function strayResult(message: Message): Part {
  return { text: `[result of a tool call that is not shown]\n${messageText(message)}` }
}

function mediaOf(message: Message): Part[] {
  return contentParts(message).flatMap((part) => mediaPart(part as AnyContentPart) ?? [])
}

/** A JSON object is sent unchanged, so that its `error` member is recognised; other text goes under `output`. */
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

/** False for a number that loses digits as a double: long ids must arrive exactly. */
function isExact(number: number): boolean {
  return Number.isFinite(number) && (!Number.isInteger(number) || Number.isSafeInteger(number))
}

export type AnyContentPart = { readonly type?: unknown } & Readonly<Record<string, unknown>>

const mimeTypes: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  heic: 'image/heic',
  heif: 'image/heif',
  pdf: 'application/pdf',
  txt: 'text/plain',
  md: 'text/markdown',
  csv: 'text/csv',
  html: 'text/html',
  json: 'application/json',
  mp3: 'audio/mp3',
  wav: 'audio/wav',
  mp4: 'video/mp4',
}

export function mediaPart(part: AnyContentPart): Part | undefined {
  const body = part[String(part.type)]
  if (!isObject(body)) return undefined
  switch (part.type) {
    case 'image_url':
      return fromUrl(body.url, 'image/jpeg')
    case 'input_audio':
      return typeof body.data === 'string'
        ? { inlineData: { mimeType: `audio/${body.format ?? 'wav'}`, data: body.data } }
        : undefined
    case 'file': {
      const mimeType = mimeTypeOf(String(body.filename ?? '')) ?? 'application/pdf'
      const fromData = fromUrl(body.file_data, mimeType) ?? fromUrl(body.file_id, mimeType)
      if (fromData !== undefined || typeof body.file_data !== 'string') return fromData
      return { inlineData: { mimeType, data: body.file_data } }
    }
    default:
      return undefined
  }
}

function fromUrl(url: unknown, fallbackType: string): Part | undefined {
  if (typeof url !== 'string') return undefined
  if (url.startsWith('data:')) return fromDataUrl(url)
  if (!/^(https?|gs):\/\//i.test(url)) return undefined
  return { fileData: { fileUri: url, mimeType: mimeTypeOf(url) ?? fallbackType } }
}

function fromDataUrl(url: string): Part | undefined {
  const comma = url.indexOf(',')
  if (comma < 0) return undefined
  const [mimeType, ...parameters] = url.slice('data:'.length, comma).split(';')
  const data = url.slice(comma + 1)
  const encoded = parameters.some((parameter) => parameter.trim().toLowerCase() === 'base64')
  return { inlineData: { mimeType: mimeType || 'text/plain', data: encoded ? data : encodePercent(data) } }
}

function encodePercent(data: string): string {
  let text = data
  try {
    text = decodeURIComponent(data)
  } catch {}
  return Buffer.from(text).toString('base64')
}

function mimeTypeOf(name: string): string | undefined {
  const ending = /\.([a-z0-9]+)(?:[?#].*)?$/is.exec(name)?.[1]?.toLowerCase() ?? ''
  return Object.hasOwn(mimeTypes, ending) ? mimeTypes[ending] : undefined
}

/**
 * Undefined for an empty text without a signature, which Gemini refuses. Unsupported parts become a text that names
 * them, so that the model knows.
 */
export function contentToPart(part: AnyContentPart): Part | undefined {
  const data = geminiData(part)
  const signature = signatureOf(data)
  const text = part.type === 'refusal' ? part.refusal : part.text
  if ((part.type === 'text' || part.type === 'refusal') && typeof text === 'string')
    return text === '' && signature.thoughtSignature === undefined ? undefined : { text, ...signature }
  if (part.type === 'gemini' && isObject(data.part)) return data.part as Part
  const media = mediaPart(part)
  if (media !== undefined) return { ...media, ...signature }
  return {
    text: `[content of the type ${JSON.stringify(part.type ?? null)} cannot be shown here]`,
    ...signature,
  }
}

export interface CallFacts {
  readonly id: unknown
  readonly name: string
  readonly args: Record<string, unknown>
  readonly data: Readonly<Record<string, unknown>>
}

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

/** Gemini requires an object; any other value goes under `input`, as with a custom tool. */
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

export const callIdPrefix = 'gemini-call-'

/** The `id` of a call on the wire: Gemini's or another provider's, not one generated here. */
export function wireId({ id, data }: CallFacts): { readonly id?: string } {
  const given = data.id ?? id
  return typeof given === 'string' && given !== '' && !given.startsWith(callIdPrefix) ? { id: given } : {}
}
