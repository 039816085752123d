import { isObject, type Loose, looseOf, type Message, messageText } from '@palimpsest/core'
import type { ModelMessage } from 'ai'
import { aiSdkData, extrasOf, restoreExtras, withAiSdkData } from './ai-sdk-data.ts'
import { fromAssistant, toAssistant } from './assistant-message.ts'
import { fromPart, mapContent, toPart } from './parts.ts'
import { type CallNames, fromToolMessages, toToolMessages } from './tool-messages.ts'

export interface Unit {
  readonly models: readonly ModelMessage[]
  readonly messages: readonly Message[]
}

/**
 * Converts messages of the AI SDK. The same list gives the same messages, whatever the order of keys, and
 * `toModelMessages` restores it: every part, `providerOptions`, approvals, unknown members. Bytes become base64. A tool
 * message with several results becomes one message per result, and a later system message a user message.
 */
export function fromModelMessages(messages: readonly ModelMessage[]): Message[] {
  return toUnits(messages).flatMap((unit) => unit.messages)
}

export function toUnits(messages: readonly ModelMessage[]): Unit[] {
  const units: Unit[] = []
  const names: CallNames = new Map()
  let isBeginning = true
  for (let index = 0; index < messages.length; ) {
    const run = toolRun(messages, index)
    const models = messages.slice(index, index + Math.max(run, 1))
    const converted =
      run > 0
        ? fromToolMessages(models.map(looseOf), names)
        : models.map((message) => fromMessage(looseOf(message), isBeginning))
    isBeginning &&= models.every(isSystem)
    for (const message of converted) rememberCalls(message, names)
    units.push({ models, messages: converted as unknown as Message[] })
    index += models.length
  }
  return units
}

function isSystem(message: ModelMessage): boolean {
  return looseOf(message).role === 'system'
}

function toolRun(messages: readonly (Message | ModelMessage)[], from: number): number {
  let end = from
  while (looseOf(messages[end]).role === 'tool') end++
  return end - from
}

function fromMessage(message: Loose, isBeginning: boolean): Loose {
  const { role, content, ...others } = message
  const extras = extrasOf(others)
  if (role === 'assistant') return fromAssistant(message)
  if (role === 'system' && !isBeginning)
    return { role: 'user', content, ...withAiSdkData({ ...extras, role }) }
  return { role, content: mapContent(content, fromPart), ...withAiSdkData({ ...extras }) }
}

export function rememberCalls(message: Loose, names: CallNames): void {
  if (!Array.isArray(message.tool_calls)) return
  for (const call of message.tool_calls.filter(isObject))
    names.set(call.id, looseOf(call.type === 'custom' ? call.custom : call.function).name)
}

/**
 * Converts messages back to the AI SDK's: the inverse of `fromModelMessages`, also for messages of engines and other
 * hosts. Adjacent results are parts of one tool message, split as before. A system prompt becomes a system message; the
 * AI SDK takes it in `instructions`.
 */
export function toModelMessages(messages: readonly Message[]): ModelMessage[] {
  return toModels(messages, new Map())
}

export function toModels(messages: readonly Message[], names: CallNames): ModelMessage[] {
  const models: Loose[] = []
  for (let index = 0; index < messages.length; ) {
    const run = toolRun(messages, index)
    if (run > 0) models.push(...toToolMessages(messages.slice(index, index + run).map(looseOf), names))
    else models.push(toModelMessage(messages[index], names))
    index += Math.max(run, 1)
  }
  // Every part is one of the AI SDK's, or was one originally.
  return models as unknown as ModelMessage[]
}

function toModelMessage(message: Message | undefined, names: CallNames): Loose {
  const loose = looseOf(message)
  rememberCalls(loose, names)
  const { role, content } = loose
  if (role === 'assistant') return toAssistant(loose)
  const { role: own, ...data } = aiSdkData(loose)
  const extras = restoreExtras(data)
  if (message?.role === 'system' || message?.role === 'developer')
    return { role: 'system', content: messageText(message), ...extras }
  // An engine has changed a message that was only converted to the user's role if its content is no longer in parts.
  if (own === 'system' && typeof content === 'string') return { role: own, content, ...extras }
  if (own === 'tool' && Array.isArray(content)) return { role: own, content, ...extras }
  return { role, content: mapContent(content, toPart), ...extras }
}
