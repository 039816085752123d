import type { SourceMessage } from '../candidates/source-message.ts'
import type { ResolveContext } from '../resolve/resolve-candidates.ts'
import type { ReadingState } from './read-new-messages.ts'
import type { SessionRecord } from './session-record.ts'

/** The message of an index, if it is at hand. */
export type MessageAt = ResolveContext['messageAt']

/** Finds messages of a list by their index. */
export function finder(messages: readonly SourceMessage[]): MessageAt {
  const byIndex = new Map(messages.map((message) => [message.message, message]))
  return (index) => byIndex.get(index)
}

/** Without the messages that were taken back while they were read: what stands in their place was not read. */
export function withoutStale(
  find: MessageAt,
  texts: readonly SourceMessage[],
  { messages }: SessionRecord,
): MessageAt {
  const stale = new Set(
    texts.filter(({ message, hash }) => messages[message]?.hash !== hash).map(({ message }) => message),
  )
  return (index) => (stale.has(index) ? undefined : find(index))
}

/** The assistant's message that a state refers to. */
export function said(state: ReadingState, { messages }: SessionRecord): SourceMessage[] {
  if (state.said === undefined) return []
  const { index, text } = state.said
  const known = messages[index]
  return [{ message: index, turn: known?.turn ?? 1, role: 'assistant', text, hash: known?.hash ?? '' }]
}
