import { contentParts, type Message, readMessages } from '@palimpsest/core'
import { type BrokenEngine, broken, projecting, summarizing } from './broken-engine.ts'

/** Mistakes with what messages are made of. */
export const brokenContents: readonly BrokenEngine[] = [
  broken(
    'writes the text "null" where there is no content',
    'C38',
    projecting((messages) =>
      messages.map((message) =>
        message.role === 'assistant' && !Array.isArray(message.content)
          ? { ...message, content: String(message.content) }
          : message,
      ),
    ),
  ),
  broken(
    'keeps the text of messages and nothing else',
    'C73',
    projecting((messages) =>
      messages.map((message) =>
        Array.isArray(message.content) && message.role === 'user'
          ? ({ ...message, content: contentParts(message).filter(({ type }) => type === 'text') } as Message)
          : message,
      ),
    ),
  ),
  broken(
    'cuts a summary at a fixed number of characters',
    'C40',
    summarizing(({ text, warnings }) => ({ text: text.slice(0, 2_000), warnings })),
  ),
  broken('copies messages key by key', 'C41', {
    steps: () => ({
      readMessages: (messages) => readMessages(messages).map((message) => copyByKeys(message)),
    }),
  }),
]

/** A copy in which a key named __proto__ becomes the prototype. */
function copyByKeys<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(copyByKeys) as T
  const copy: Record<string, unknown> = {}
  for (const [key, member] of Object.entries(value)) copy[key] = copyByKeys(member)
  return copy as T
}
