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

export type WindowMessage = Omit<LogEntry, 'id'>

export interface ContextWindow {
  readonly leading: readonly WindowMessage[]
  readonly summaries: readonly Summary[]
  readonly tail: readonly WindowMessage[]
  readonly request?: WindowMessage
}

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

export function underSummaries(
  { leading, request, tail }: ContextWindow,
  summaries: readonly Summary[],
): ContextWindow {
  return { ...windowOf(request === undefined ? tail : [request, ...tail], summaries), leading }
}

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

export function isUserTurn({ message }: WindowMessage): boolean {
  return isSpoken(message) && checkMessage(message).length === 0
}

export function fromStored({ seq, message, role, tokens, at, forgotten }: StoredMessage): WindowMessage {
  if (message !== null) return { seq, message: freezeMessage(message), tokens, at }
  return { seq, message: freezeMessage(lostMessage(role, forgotten !== undefined)), tokens: 0, at }
}

export function forgottenMessage({ seq, message, at }: WindowMessage): WindowMessage {
  const { id } = message
  const lost = lostMessage(message.role, true)
  return { seq, message: freezeMessage(id === undefined ? lost : { ...lost, id }), tokens: 0, at }
}
