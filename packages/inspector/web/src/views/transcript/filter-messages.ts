import type { ViewMessage } from '../../../../src/view/session-view.ts'
import { type PlacedMessage, transcriptOf } from '../../ui/find-messages.ts'

/** What a reader of the transcript wants to see. */
export interface MessageFilter {
  /** Empty: every role. */
  readonly roles: readonly ViewMessage['role'][]
  /** Also what the engine wrote, where it came up. */
  readonly withEngine: boolean
}

/** The messages to show, in their order. */
export function filterMessages(
  messages: readonly ViewMessage[],
  filter: MessageFilter,
): readonly PlacedMessage[] {
  const all = filter.withEngine
    ? messages.map((message, index) => ({ index, message }))
    : transcriptOf(messages)
  if (filter.roles.length === 0) return all
  return all.filter(({ message }) => filter.roles.includes(message.role))
}

/** The roles that a session has, in the order of a conversation. */
export function rolesOf(messages: readonly ViewMessage[]): readonly ViewMessage['role'][] {
  const present = new Set(messages.map(({ role }) => role))
  return (['system', 'developer', 'user', 'assistant', 'tool'] as const).filter((role) => present.has(role))
}
