import {
  checkMessage,
  copyMessages,
  freezeMessage,
  InvalidMessagesError,
  isInstruction,
  isSpoken,
  type Message,
  type TokenCounter,
} from '@palimpsest/core'
import { encodeMessage, hashMessage } from '../messages/encode-message.ts'
import type { EncodedMessage, SeqRange, StoredMessage, SummaryNode } from '../store/lcm-session.ts'

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

/** A message that was deleted on request, in the context: its place, and nothing of it. */
const FORGOTTEN = '(This message was deleted on request.)'
const DAMAGED = '(This message is damaged in the store.)'

/** A frozen message and what a store writes down of it. */
export interface NewMessage {
  readonly message: Message
  readonly encoded: EncodedMessage
  /** That of `encoded`: what is known already is recognised without the rest of it. */
  readonly hash: string
}

/**
 * Reads messages of a host: copied and frozen, and encoded when asked for, because a repeated list is mostly known.
 * Nothing is mended or left out.
 *
 * @throws InvalidMessagesError for what is not a list of JSON objects.
 */
export function readNewMessages(messages: readonly Message[], tokens: TokenCounter): NewMessage[] {
  if (!Array.isArray(messages)) throw new InvalidMessagesError('messages must be a list')
  messages.forEach((message: unknown, index) => {
    if (typeof message === 'object' && message !== null && !Array.isArray(message)) return
    throw new InvalidMessagesError(`messages[${index}] must be an object with a role`)
  })
  return copyMessages(messages).map((copy) => new ReadMessage(freezeMessage(copy), tokens))
}

class ReadMessage implements NewMessage {
  readonly message: Message
  readonly #tokens: TokenCounter
  #encoded: EncodedMessage | undefined
  #hash: string | undefined

  constructor(message: Message, tokens: TokenCounter) {
    this.message = message
    this.#tokens = tokens
  }

  get encoded(): EncodedMessage {
    this.#encoded ??= encodeMessage(this.message, this.#tokens.countMessage(this.message))
    return this.#encoded
  }

  get hash(): string {
    this.#hash ??= this.#encoded?.hash ?? hashMessage(this.message)
    return this.#hash
  }
}

export function toWindowMessage({ message, encoded }: NewMessage, seq: number, at: number): WindowMessage {
  return { seq, message, tokens: encoded.tokens, at, hash: encoded.hash }
}

/** A message as it comes back from a store. */
export function fromStored({ seq, json, role, tokens, at, hash }: StoredMessage): WindowMessage {
  const message: unknown = json === '' ? undefined : JSON.parse(json)
  if (typeof message === 'object' && message !== null)
    return { seq, message: freezeMessage(message as Message), tokens, at, hash }
  // The form of a call or a result is not known any more; a text in the assistant's role takes its place.
  const shown = role === 'user' || role === 'system' || role === 'developer' ? role : 'assistant'
  const lost: Message = { role: shown, content: json === '' ? FORGOTTEN : DAMAGED }
  return { seq, message: freezeMessage(lost), tokens: 0, at, hash }
}
