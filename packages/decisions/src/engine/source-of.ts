import { checkMessage, isInstruction, type Message, messageText } from '@palimpsest/core'
import { redactMessage } from '@palimpsest/core/summarizer'
import type { SourceMessage } from '../candidates/source-message.ts'
import { hashText } from '../log/hash-text.ts'

/** A message as it is kept. Nobody's broken message says anything. A system prompt may change its text at any time, which is no edit: its hash is its role's. */
export function sourceOf(message: Message, index: number, turn: number): SourceMessage {
  const { role } = message
  const isSaid = (role === 'user' || role === 'assistant') && checkMessage(message).length === 0
  return {
    message: index,
    turn,
    // A message of no known role says nothing, like a tool's.
    role: ROLES.has(role) ? role : 'tool',
    text: isSaid ? messageText(redactMessage(message)) : '',
    hash: messageHash(message),
  }
}

const ROLES: ReadonlySet<unknown> = new Set(['system', 'developer', 'user', 'assistant', 'tool'])

/** Tells an edit of a message. Its id and the data of its provider are not a part of what was said. */
export function messageHash(message: Message): string {
  if (isInstruction(message)) return hashText('system')
  const { id: _, providerData: __, ...said } = message
  return hashText(JSON.stringify(said))
}
