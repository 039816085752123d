import { createPause } from '../session/pause.ts'
import type { Message } from '../spec/v1/message.ts'
import { redactSecrets } from './redact-secrets.ts'

/** Names of what is no text: it says which part belongs where, or is a provider's own. */
const NO_TEXT: ReadonlySet<string> = new Set([
  ...['role', 'type', 'id', 'tool_call_id', 'providerData', 'data', 'signature', 'encrypted_content'],
])

/**
 * The message as a summariser may see it: secrets hidden in all its texts, in the arguments of calls and in addresses. The same
 * object when it holds no secret.
 */
export function redactMessage(message: Message): Message {
  return redactValue(message) as Message
}

/** The messages as a summariser may see them, in slices: a long history holds up nothing else. */
export async function redactMessages(messages: readonly Message[]): Promise<Message[]> {
  const pause = createPause()
  const redacted: Message[] = []
  for (const message of messages) {
    redacted.push(redactMessage(message))
    await pause()
  }
  return redacted
}

function redactValue(value: unknown): unknown {
  if (typeof value === 'string') return value.startsWith('data:') ? value : redactSecrets(value)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value)
  const redacted = entries.map(
    ([name, inner]) => [name, NO_TEXT.has(name) ? inner : redactValue(inner)] as const,
  )
  if (redacted.every(([, inner], index) => inner === entries[index]?.[1])) return value
  return Array.isArray(value) ? redacted.map(([, inner]) => inner) : Object.fromEntries(redacted)
}
