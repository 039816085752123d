import { isObject, type Loose, looseOf, type Message } from '@palimpsest/core'
import type { ModelMessage } from 'ai'
import { extrasOf, withAiSdkData } from './ai-sdk-data.ts'
import { fromAssistant } from './assistant-message.ts'
import { fromPart, mapContent } from './parts.ts'
import { type CallNames, fromToolMessages } from './tool-messages.ts'

/** Messages of the AI SDK and what they are in the wire shape. One or more on either side. */
export interface Unit {
  readonly models: readonly ModelMessage[]
  readonly messages: readonly Message[]
}

/**
 * Messages of the AI SDK in the shape of Palimpsest. The same list gives the same messages, however its keys are
 * ordered, and `toModelMessages` gives it back: every part, `providerOptions`, approvals, unknown members. Bytes come
 * back as base64. A tool message with several results is one message for each; a later system message is a user
 * message to engines.
 */
export function fromModelMessages(messages: readonly ModelMessage[]): Message[] {
  return toUnits(messages).flatMap((unit) => unit.messages)
}

/**
 * The same, in units that stay together: a run of tool messages is one.
 *
 * @param known Units of an earlier list. Those at the beginning whose messages are the very same objects are not
 * converted again.
 */
export function toUnits(messages: readonly ModelMessage[], known: readonly Unit[] = []): Unit[] {
  const units = reusable(messages, known)
  const names: CallNames = new Map()
  for (const unit of units) for (const message of unit.messages) rememberCalls(looseOf(message), names)
  let index = units.reduce((sum, { models }) => sum + models.length, 0)
  let isBeginning = units.every(({ models }) => models.every(isSystem))
  while (index < messages.length) {
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

function reusable(messages: readonly ModelMessage[], known: readonly Unit[]): Unit[] {
  let index = 0
  const end = known.findIndex(({ models }) => !models.every((message) => message === messages[index++]))
  const units = known.slice(0, end === -1 ? known.length : end)
  // A run of tool messages may have gone on.
  if (units.at(-1)?.models[0]?.role === 'tool') units.pop()
  return units
}

function isSystem(message: ModelMessage): boolean {
  return looseOf(message).role === 'system'
}

/** The number of tool messages in a row from here. */
function toolRun(messages: readonly ModelMessage[], from: number): number {
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

/** Remembers which tool each call of a message is for. */
export function rememberCalls(message: Loose, names: CallNames): void {
  if (!Array.isArray(message.tool_calls)) return
  for (const call of message.tool_calls.filter(isObject))
    names.set(call.id, looseOf(call.type === 'custom' ? call.custom : call.function).name)
}
