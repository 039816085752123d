import {
  contentParts,
  type Message,
  messageText,
  toolCallInput,
  toolCallName,
  toolCallsOf,
} from '@palimpsest/core'

/** A message as a summariser and a search read it: who, what, which calls, a word for what is not text. */
export function serializeMessage(message: Message): string {
  const media = contentParts(message).flatMap(({ type }) =>
    type === 'text' || type === 'refusal' ? [] : [`[${String(type)}]`],
  )
  const calls = toolCallsOf(message).map((call) => `[calls ${toolCallName(call)}] ${toolCallInput(call)}`)
  return [`[${message.role}] ${messageText(message)}`, ...media, ...calls].join('\n')
}
