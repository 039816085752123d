import type { AssistantMessage, Message } from '../spec/v1/message.ts'
import { equalValues } from './equal-values.ts'
import { renderSummary, renderSummaryParts } from './summary-marker.ts'

/** Stand where a summary, which is a user message, would touch another one: law 2 wants no two in a row. */
const BEFORE: AssistantMessage = Object.freeze({
  role: 'assistant',
  content: '(What followed is summarised below.)',
})
const BEHIND: AssistantMessage = Object.freeze({
  role: 'assistant',
  content: '(The summary above covers the conversation up to here.)',
})

export interface SummaryPlacement {
  /** Messages that stay before the summary: the system prompt, first messages. */
  readonly head: readonly Message[]
  /** The text of the summary, without its frame; a list for one that grows at its end, oldest first. */
  readonly summary: string | readonly string[]
  /** The user's last message, where something between it and the tail is summarised. */
  readonly request?: Message | undefined
  /** Messages that stay behind it. */
  readonly tail: readonly Message[]
}

/**
 * Head, marked summary, request and tail as one list. A bridge stands where a user message would touch the summary, or the request
 * what a host inserted later.
 */
export function placeSummary({ head, summary, request, tail }: SummaryPlacement): Message[] {
  return [
    ...head,
    ...(head.at(-1)?.role === 'user' ? [BEFORE] : []),
    {
      role: 'user',
      content: typeof summary === 'string' ? renderSummary(summary) : renderSummaryParts(summary),
    },
    ...((request ?? tail[0])?.role === 'user' ? [BEHIND] : []),
    ...(request === undefined ? [] : [request]),
    ...(request?.role === 'user' && tail[0]?.role === 'user' ? [BEHIND] : []),
    ...tail,
  ]
}

/** True for a bridge that an earlier compaction put beside its summary: it says nothing of its own. */
export function isBridge(message: Message | undefined): boolean {
  if (message?.role !== 'assistant' || message.tool_calls?.length) return false
  return [BEFORE, BEHIND].some(({ content }) => equalValues(message.content, content))
}
