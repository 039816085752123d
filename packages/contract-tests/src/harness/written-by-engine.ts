import { isInstruction, type Message, messageText, stripReasoning, toolCallsOf } from '@palimpsest/core'

export interface Written {
  readonly role: 'system' | 'user' | 'assistant'
  readonly text: string
}

/**
 * The engine's own text in a projection: messages that the history lacks, and text after its system prompt. Tool
 * results and messages with calls belong to the history.
 */
export function writtenByEngine(projection: readonly Message[], history: readonly Message[]): Written[] {
  const known = new Set(history.map(asSaid))
  return projection.flatMap((message, index): Written[] => {
    if (message.role === 'tool' || toolCallsOf(message).length > 0 || known.has(asSaid(message))) return []
    const text = messageText(message)
    if (!isInstruction(message)) return [{ role: message.role, text }]
    const [prompt] = history
    const original = index === 0 && isInstruction(prompt) ? messageText(prompt) : ''
    return [{ role: 'system', text: text.startsWith(original) ? text.slice(original.length) : text }]
  })
}

function asSaid(message: Message): string {
  return JSON.stringify(stripReasoning(message))
}
