import {
  checkMessage,
  freezeMessage,
  isInstruction,
  isSpoken,
  type LogEntry,
  lostMessage,
  type StoredMessage,
  type Summary,
} from '@palimpsest/core'

/** A message with its number in the session. */
export type WindowMessage = Omit<LogEntry, 'id'>

/** The model's view of a conversation: summaries, and the messages after them. */
export interface ContextWindow {
  /** The system prompt: instructions before the first other message. */
  readonly leading: readonly WindowMessage[]
  readonly summaries: readonly Summary[]
  readonly tail: readonly WindowMessage[]
  /** The user's last message, when a summary covers it: it is shown all the same. */
  readonly request?: WindowMessage
}

/** The window of a conversation under summaries, which cover its beginning. */
export function windowOf(
  messages: readonly WindowMessage[],
  summaries: readonly Summary[] = [],
): ContextWindow {
  const other = messages.findIndex(({ message }) => !isInstruction(message))
  const leading = other === -1 ? messages.length : other
  const covered = summaries.at(-1)?.last
  const start = covered === undefined ? leading : indexAfter(messages, covered)
  const tail = messages.slice(start)
  const asked = tail.some(isUserTurn) ? -1 : lastUserTurn(messages, start)
  const request = messages[asked]
  return { leading: messages.slice(0, leading), summaries, tail, ...(request !== undefined && { request }) }
}

/** The same messages under other summaries. */
export function underSummaries(
  { leading, request, tail }: ContextWindow,
  summaries: readonly Summary[],
): ContextWindow {
  return { ...windowOf(request === undefined ? tail : [request, ...tail], summaries), leading }
}

/** The index of the first message with a number above `seq`; the length when there is none. */
export function indexAfter(messages: readonly WindowMessage[], seq: number): number {
  let low = 0
  let high = messages.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((messages[middle]?.seq ?? 0) <= seq) low = middle + 1
    else high = middle
  }
  return low
}

function lastUserTurn(messages: readonly WindowMessage[], before: number): number {
  let index = before - 1
  while (index >= 0 && !isUserTurn(messages[index] as WindowMessage)) index--
  return index
}

/** True for what a user wrote: no summary, nothing that a host inserted, and nothing without content to show. */
export function isUserTurn({ message }: WindowMessage): boolean {
  return isSpoken(message) && checkMessage(message).length === 0
}

/** A message as it comes back from a store. */
export function fromStored({ seq, message, role, tokens, at, forgotten }: StoredMessage): WindowMessage {
  if (message !== null) return { seq, message: freezeMessage(message), tokens, at }
  return { seq, message: freezeMessage(lostMessage(role, forgotten !== undefined)), tokens: 0, at }
}

/** A message whose content was deleted on request: its place, and nothing of it. */
export function forgottenMessage({ seq, message, at }: WindowMessage): WindowMessage {
  const { id } = message
  const lost = lostMessage(message.role, true)
  return { seq, message: freezeMessage(id === undefined ? lost : { ...lost, id }), tokens: 0, at }
}
