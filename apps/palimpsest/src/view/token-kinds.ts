import {
  isBridge,
  isInstruction,
  type Message,
  messageText,
  repairMessages,
  type TokenCounter,
} from '@palimpsest/core'
import { isRecall, summaryOf } from '../serve/conversations/engine-notes.ts'
import type { ViewMessage } from './session-view.ts'

/** What a message that an engine wrote is. */
export type NoteKind = Extract<ViewMessage['kind'], 'decisions' | 'summary'>

/** What the decisions engine puts into a system prompt. */
const DECISIONS_BLOCK = '<project_decisions>'
/** What it says where a summary was that it shows next to the query. */
const POINTER = /^\(Earlier messages were replaced by the conversation summary /

/**
 * What an engine's message is, by its frame; undefined for every other one.
 *
 * @param next the message behind it: some only lead on to another one.
 */
export function noteKind(message: Message, next?: Message): NoteKind | undefined {
  if (summaryOf(message) !== undefined || isBridge(message)) return 'summary'
  if (isRecall(message) || isMemory(message)) return 'decisions'
  if (message.role !== 'user') return undefined
  const text = messageText(message)
  if (POINTER.test(text)) return 'summary'
  const isLeadingOn = next?.role === 'assistant' && text === LEADING_ON
  return isLeadingOn ? noteKind(next) : undefined
}

/** What the decisions engine says between two turns of the assistant. */
const LEADING_ON = '(What is on record, for reference:)'

/** What a memory from outside says next to a query. */
function isMemory(message: Message): boolean {
  return message.role === 'assistant' && messageText(message).startsWith('<external_memory>\n')
}

/**
 * How many tokens of a system prompt are decisions that an engine put behind the host's own.
 *
 * @param own the host's system prompts, which a request has as one.
 */
export function decisionTokens(
  message: Message,
  own: readonly Message[],
  total: number,
  tokens: TokenCounter,
): number {
  if (!isInstruction(message) || !messageText(message).includes(DECISIONS_BLOCK)) return 0
  const [prompt] = repairMessages(own).messages
  return prompt === undefined ? total : Math.max(0, total - tokens.countMessage(prompt))
}
