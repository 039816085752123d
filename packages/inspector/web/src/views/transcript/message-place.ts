import type { SessionView, ViewSummaryNode } from '../../../../src/view/session-view.ts'
import { createContextAt } from '../../data/context-at.ts'

export type MessagePlace =
  | { readonly kind: 'shown' }
  | { readonly kind: 'in-part' }
  | { readonly kind: 'summarised'; readonly node: ViewSummaryNode }
  /** It came after the last request. */
  | { readonly kind: 'new' }
  | { readonly kind: 'absent' }

export function createMessagePlace(view: SessionView): (index: number) => MessagePlace {
  const last = view.requests.length - 1
  const shown = new Set(createContextAt(view.requests)(last))
  const seqs = new Map<number, MessagePlace>()
  for (const index of shown) {
    const message = view.messages[index]
    if (message === undefined || message.seq === null) continue
    seqs.set(message.seq, message.kind === 'shortened' ? { kind: 'in-part' } : { kind: 'shown' })
  }
  // A system prompt that an engine wrote a note behind is another message, with the host's words at its beginning.
  const prompts = [...shown].flatMap((index) => {
    const message = view.messages[index]
    return message?.kind === 'system' ? [message.text] : []
  })
  const frontier = view.summaryNodes.filter((node) => node.isShown && !node.isReplaced)
  const known = view.requests[last]?.transcript ?? 0
  return (index) => {
    if (shown.has(index)) return { kind: 'shown' }
    const message = view.messages[index]
    if (message === undefined || message.seq === null) return { kind: 'absent' }
    const { seq, text } = message
    if (message.kind === 'system' && prompts.some((prompt) => prompt.startsWith(text)))
      return { kind: 'shown' }
    const place = seqs.get(seq)
    if (place !== undefined) return place
    if (seq >= known) return { kind: 'new' }
    const node = frontier.find(({ first, last: end }) => first <= seq && seq <= end)
    return node === undefined ? { kind: 'absent' } : { kind: 'summarised', node }
  }
}
