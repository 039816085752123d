import {
  copyMessages,
  freezeMessage,
  InvalidMessagesError,
  type Message,
  type TokenCounter,
} from '@palimpsest/core'
import { encodeMessage, hashMessage } from '../messages/encode-message.ts'
import type { EncodedMessage, StoredMessage } from '../store/stored-message.ts'
import type { WindowMessage } from './window.ts'

/** A message that was deleted on request, in the context: its place, and nothing of it. */
const FORGOTTEN = '(This message was deleted on request.)'

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
  if (json !== '') return { seq, message: freezeMessage(JSON.parse(json) as Message), tokens, at, hash }
  // The form of a call or a result is not known any more; a text in the assistant's role stands for it.
  const shown = role === 'user' || role === 'system' || role === 'developer' ? role : 'assistant'
  const message: Message = { role: shown, content: FORGOTTEN }
  return { seq, message: freezeMessage(message), tokens: 0, at, hash }
}
