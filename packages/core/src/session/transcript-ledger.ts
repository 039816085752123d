import { InvalidMessagesError } from '../errors/invalid-messages-error.ts'
import { copyValue, freezeMessage } from '../messages/copy-message.ts'
import { equalValues } from '../messages/equal-values.ts'
import { isInstruction } from '../messages/is-instruction.ts'
import type { Message } from '../spec/message.ts'

/** What a host's list said about the transcript. */
export interface Reconciled {
  /** New messages, frozen; empty when nothing was appended. */
  readonly appended: readonly Message[]
  /** Index in the transcript of the first new message. */
  readonly from: number
  /** How many messages the host took back by editing its history; 0 when it only appended. */
  readonly dropped: number
  /** True when only the text of the system prompt changed. */
  readonly systemChanged: boolean
}

/** The session's own frozen copy of the transcript. */
export interface TranscriptLedger {
  readonly messages: readonly Message[]
  /** Compares a host's list with the transcript and takes over what is new. Copies only that. */
  reconcile(incoming: readonly Message[], sent: readonly Message[]): Reconciled
  clear(): void
}

/**
 * A host sends its whole history every time, or sends back the projection that it was given with more behind
 * it. Both are recognised by comparing messages by value (by id first, where both have one): exact, without
 * hashes, and cheap because unchanged strings compare at once.
 */
export function createTranscriptLedger(): TranscriptLedger {
  let messages: Message[] = []

  const append = (incoming: readonly Message[], from: number, skip: number): Message[] => {
    const fresh = incoming.slice(skip).map((message) => freezeMessage(copyValue(message)))
    messages = [...messages.slice(0, from), ...fresh]
    return fresh
  }

  return {
    get messages() {
      return messages
    },
    clear() {
      messages = []
    },
    reconcile(incoming, sent) {
      assertMessages(incoming)
      const systemChanged = replaceSystem(messages, incoming)
      const common = commonPrefix(messages, incoming)
      if (common < messages.length && sent.length > 0 && commonPrefix(sent, incoming) === sent.length) {
        const from = messages.length
        return { appended: append(incoming, from, sent.length), from, dropped: 0, systemChanged: false }
      }
      const dropped = messages.length - common
      return { appended: append(incoming, common, common), from: common, dropped, systemChanged }
    },
  }
}

/** Takes over a new text of the system prompt. A system prompt that comes or goes is an edit like any other. */
function replaceSystem(messages: Message[], incoming: readonly Message[]): boolean {
  const [current] = messages
  const [next] = incoming
  if (next === undefined || !isInstruction(current) || !isInstruction(next) || equalValues(current, next))
    return false
  // A host that sends the projection back sends our note with it: that is no change of its prompt.
  if (commonPrefix(messages.slice(1), incoming.slice(1)) < Math.min(messages.length, incoming.length) - 1)
    return false
  messages[0] = freezeMessage(copyValue(next))
  return true
}

function commonPrefix(known: readonly Message[], incoming: readonly Message[]): number {
  const length = Math.min(known.length, incoming.length)
  for (let index = 0; index < length; index++) {
    if (!equalValues(known[index], incoming[index])) return index
  }
  return length
}

function assertMessages(incoming: readonly Message[]): void {
  if (!Array.isArray(incoming)) throw new InvalidMessagesError('messages must be a list')
  incoming.forEach((message, index) => {
    if (typeof message !== 'object' || message === null || Array.isArray(message)) {
      throw new InvalidMessagesError(
        `messages[${index}] must be an object with a role, got ${message === null ? 'null' : typeof message}`,
      )
    }
  })
}
