import { isBridge, type Message, placeSummary, repairMessages } from '@palimpsest/core'
import { showMessage } from './large-results.ts'
import { renderSummaries } from './render-summaries.ts'
import type { ContextWindow, WindowMessage } from './window.ts'

export interface RenderInput {
  /** The system prompt of the request, which may be newer than the stored one. */
  readonly leading: readonly Message[]
  readonly window: ContextWindow
  /** Above this size a tool result is shown in part, in tokens. */
  readonly result: number
  /** What all summaries together may take, in tokens. */
  readonly summaries: number
  /** Leave calls at the very end unanswered. */
  readonly inFlight: boolean
}

/** The active context as a list of messages. */
export interface RenderedContext {
  readonly messages: readonly Message[]
  /** For each of them its number in the session; null for what the engine wrote. */
  readonly seqs: readonly (number | null)[]
}

/**
 * System prompt, summaries, the user's last message if it stands behind a summary, and the tail. Every live message is
 * in it or covered by a summary that is named in it. Broken pairs of the transcript are mended.
 */
export function renderContext({ leading, window, result, summaries, inFlight }: RenderInput): RenderedContext {
  const seqs = new Map<Message, number>()
  const show = (stored: WindowMessage): Message => {
    const message = showMessage(stored, result)
    seqs.set(message, stored.seq)
    return message
  }
  leading.forEach((message, index) => {
    const stored = window.leading[index]
    if (stored !== undefined) seqs.set(message, stored.seq)
  })
  const request = window.request === undefined ? [] : [show(window.request)]
  const tail = [...request, ...window.tail.map(show)]
  const list =
    window.nodes.length === 0
      ? [...leading, ...tail]
      : placeSummary({ head: leading, summary: renderSummaries(window.nodes, summaries), tail })
  const messages = parted(repairMessages(list, { inFlight }).messages, request[0])
  return { messages, seqs: messages.map((message) => seqs.get(message) ?? null) }
}

/** With a bridge behind the user's last message when a broken message in the user role follows it. */
function parted(messages: readonly Message[], request: Message | undefined): readonly Message[] {
  const at = request === undefined ? -1 : messages.indexOf(request)
  const bridge = messages.find(isBridge)
  if (at === -1 || bridge === undefined || messages[at + 1]?.role !== 'user') return messages
  return [...messages.slice(0, at + 1), bridge, ...messages.slice(at + 1)]
}
