import { isSummary, type Message, placeSummary, repairMessages } from '@palimpsest/core'
import { showMessage } from './large-results.ts'
import { renderSummaries, type SummariesRoom } from './render-summaries.ts'
import type { ContextWindow, WindowMessage } from './window.ts'

export interface RenderInput {
  readonly leading: readonly Message[]
  readonly window: ContextWindow
  readonly result: number
  readonly summaries: SummariesRoom
  readonly inFlight: boolean
}

export interface RenderedContext {
  readonly messages: readonly Message[]
  readonly seqs: readonly (number | null)[]
}

/**
 * Renders system prompt, summaries, the user's last message if a summary covers it, and the tail. Every live message is
 * shown or covered by a named summary. Broken pairs are repaired.
 */
export function renderContext({
  leading,
  window,
  result,
  summaries,
  inFlight,
}: RenderInput): RenderedContext {
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
  const shown = window.request === undefined ? window.tail : [window.request, ...window.tail]
  const tail = shown.map(show)
  const list =
    window.summaries.length === 0
      ? [...leading, ...tail]
      : placeSummary({
          head: leading,
          summary: renderSummaries(window.summaries, summaries, window.request?.seq),
          tail,
        })
  const messages = parted(repairMessages(list, { inFlight }).messages, window.request && tail[0])
  return { messages, seqs: messages.map((message) => seqs.get(message) ?? null) }
}

const [, BRIDGE] = placeSummary({ head: [], summary: '', tail: [{ role: 'user', content: '' }] }) as [
  Message,
  Message,
]

function parted(messages: readonly Message[], request: Message | undefined): readonly Message[] {
  return messages.flatMap((message, index) => {
    if (messages[index + 1]?.role !== 'user') return [message]
    return message === request || isSummary(message) ? [message, BRIDGE] : [message]
  })
}
