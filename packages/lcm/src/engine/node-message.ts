import type { Message } from '@palimpsest/core'
import type { SummaryNode } from '../store/summary-node.ts'

const messages = new WeakMap<SummaryNode, Message>()

/** A summary as a message: what is found out about a message is found out once. */
export function nodeMessage(node: SummaryNode): Message {
  const known = messages.get(node)
  if (known !== undefined) return known
  const message: Message = { role: 'user', content: node.text }
  messages.set(node, message)
  return message
}
