import type { AssistantMessage } from '@earendil-works/pi-ai'
import type { ContextEvent, SessionEntry } from '@earendil-works/pi-coding-agent'
import { hasReasoning, type Message } from '@palimpsest/core'
import { toPiMessage as writeMessage } from '@palimpsest/transcripts'

export type PiMessage = ContextEvent['messages'][number]

export type AnswerFrame = Pick<AssistantMessage, 'api' | 'provider' | 'model'>

const NO_USAGE: AssistantMessage['usage'] = {
  input: 0,
  output: 0,
  cacheRead: 0,
  cacheWrite: 0,
  totalTokens: 0,
  cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
}

export function entryMessage(entry: SessionEntry): PiMessage | undefined {
  const timestamp = Date.parse(entry.timestamp)
  if (entry.type === 'message') return structuredClone(entry.message)
  if (entry.type === 'branch_summary')
    return { role: 'branchSummary', summary: entry.summary, fromId: entry.fromId, timestamp }
  if (entry.type !== 'custom_message') return undefined
  const { customType, content, display, details } = structuredClone(entry)
  return { role: 'custom', customType, content, display, details, timestamp }
}

export function toPiMessage(
  message: Message,
  entry: SessionEntry | undefined,
  { frame, toolName }: { readonly frame: AnswerFrame; readonly toolName: string },
): PiMessage {
  const own = entry === undefined ? undefined : entryMessage(entry)
  const timestamp = entry === undefined ? 0 : Date.parse(entry.timestamp)
  if (message.role === 'tool') {
    const known = own?.role === 'toolResult' ? own : { role: 'toolResult', toolName, timestamp }
    return writeMessage(message, known) as unknown as PiMessage
  }
  if (message.role !== 'assistant') return writeMessage(message, { timestamp }) as unknown as PiMessage
  if (own?.role !== 'assistant') {
    const made = { role: 'assistant', ...frame, usage: NO_USAGE, stopReason: 'stop' }
    return writeMessage(message, made) as unknown as PiMessage
  }
  // Items of OpenAI's Responses belong to their reasoning, so another model's are sent without ids.
  const isLoose = !hasReasoning(message) && own.api.includes('responses')
  const edited = writeMessage(message, own) as unknown as AssistantMessage
  return isLoose ? { ...edited, model: `${own.model} (edited)` } : edited
}
