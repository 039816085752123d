import { checkMessage, isInstruction, isSpoken, type Message } from '@palimpsest/core'
import type { SeqRange } from '../store/lcm-session.ts'
import type { SummaryNode } from '../store/summary-node.ts'

export interface WindowMessage {
  readonly seq: number
  readonly message: Message
  readonly tokens: number
  /** When it was stored, in milliseconds since the epoch. */
  readonly at: number
  /** SHA-256 of its JSON text. */
  readonly hash: string
}

/**
 * The active context of a session: what a store would answer for the frontier and for everything behind it. Its size
 * does not depend on the length of the history. Never changed; another state is another object.
 */
export interface ContextWindow {
  readonly nextSeq: number
  readonly nextSummary: number
  /** Version of the frontier. */
  readonly version: number
  readonly replaced: readonly SeqRange[]
  /** The system prompt: instructions before the first other message. */
  readonly leading: readonly WindowMessage[]
  readonly nodes: readonly SummaryNode[]
  readonly tail: readonly WindowMessage[]
  /** The user's last message, when it stands behind a summary: it is shown all the same. */
  readonly request?: WindowMessage
}

export const EMPTY_WINDOW: ContextWindow = Object.freeze({
  nextSeq: 0,
  nextSummary: 1,
  version: 0,
  replaced: [],
  leading: [],
  nodes: [],
  tail: [],
})

export function withMessages(window: ContextWindow, messages: readonly WindowMessage[]): ContextWindow {
  if (messages.length === 0) return window
  const isStart = window.nodes.length === 0 && window.tail.length === 0
  const leading = isStart ? countLeading(messages) : 0
  const { request, ...rest } = window
  return {
    ...rest,
    ...(request && !messages.some(isUserTurn) && { request }),
    nextSeq: (messages.at(-1) as WindowMessage).seq + 1,
    leading: [...window.leading, ...messages.slice(0, leading)],
    tail: [...window.tail, ...messages.slice(leading)],
  }
}

/** The window under a new frontier, whose last node covers the beginning of the tail, so many versions further. */
export function withFrontier(
  window: ContextWindow,
  nodes: readonly SummaryNode[],
  created: number,
  versions = 1,
): ContextWindow {
  const covered = nodes.at(-1)?.last ?? -1
  const request = window.tail.findLast(isUserTurn) ?? window.request
  const isShown = request === undefined || request.seq > covered
  const { request: _, ...rest } = window
  return {
    ...rest,
    ...(!isShown && { request }),
    version: window.version + versions,
    nextSummary: window.nextSummary + created,
    nodes,
    tail: window.tail.filter(({ seq }) => seq > covered),
  }
}

/** The window as far as the messages before `seq`. Its summaries may reach further. */
export function windowBefore(window: ContextWindow, seq: number): ContextWindow {
  if (window.nextSeq <= seq) return window
  return { ...window, nextSeq: seq, tail: window.tail.filter((message) => message.seq < seq) }
}

/** True for what a user wrote: no summary, nothing that a host inserted, and nothing without content to show. */
export function isUserTurn({ message }: WindowMessage): boolean {
  return isSpoken(message) && checkMessage(message).length === 0
}

function countLeading(messages: readonly WindowMessage[]): number {
  const first = messages.findIndex(({ message }) => !isInstruction(message))
  return first === -1 ? messages.length : first
}
