import { type Loose, looseOf, type Message, messageText } from '@palimpsest/core'
import type { ModelMessage } from 'ai'
import { aiSdkData, restoreExtras } from './ai-sdk-data.ts'
import { toAssistant } from './assistant-message.ts'
import { rememberCalls } from './from-model-messages.ts'
import { mapContent, toPart } from './parts.ts'
import { type CallNames, toToolMessages } from './tool-messages.ts'

/**
 * Messages of Palimpsest for the AI SDK: the reverse of `fromModelMessages`, also for an engine's messages and those
 * of other hosts. Neighbouring results are parts of one tool message, which begins anew where it did before. A system
 * prompt is a system message; the AI SDK takes it in `instructions`.
 */
export function toModelMessages(messages: readonly Message[]): ModelMessage[] {
  return toModels(messages, new Map())
}

/** The same for a piece of a conversation; `names` are those of the calls before it, and get its own. */
export function toModels(messages: readonly Message[], names: CallNames): ModelMessage[] {
  const models: Loose[] = []
  for (let index = 0; index < messages.length; ) {
    const run = toolRun(messages, index)
    if (run.length > 0) models.push(...toToolMessages(run.map(looseOf), names))
    else models.push(toModelMessage(messages[index], names))
    index += Math.max(run.length, 1)
  }
  // Every part is one of the AI SDK's, or was one when it came in.
  return models as unknown as ModelMessage[]
}

function toolRun(messages: readonly Message[], from: number): readonly Message[] {
  let end = from
  while (messages[end]?.role === 'tool') end++
  return messages.slice(from, end)
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
  // A message that only travelled as a user message; an engine has changed it when its content is no longer in parts.
  if (own === 'system' && typeof content === 'string') return { role: own, content, ...extras }
  if (own === 'tool' && Array.isArray(content)) return { role: own, content, ...extras }
  return { role, content: mapContent(content, toPart), ...extras }
}
