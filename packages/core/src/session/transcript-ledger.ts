import { errorText } from '../errors/error-text.ts'
import { InvalidMessagesError } from '../errors/invalid-messages-error.ts'
import { PalimpsestError } from '../errors/palimpsest-error.ts'
import { snapshotMessage } from '../messages/copy-message.ts'
import { leadingInstructions } from '../messages/merge-instructions.ts'
import type { Message } from '../spec/v1/message.ts'
import { commonTail, continueHandedOut, matchHostList, NOTHING_HANDED_OUT } from './match-host-list.ts'

/** A change of the transcript by a host's list. */
export interface TranscriptChange {
  /** Index in the transcript of the first message that is new; its length when nothing is. */
  readonly from: number
  /** Messages that the host took back by editing its history; 0 when it only appended. */
  readonly dropped: number
  /** True when the text of the system prompt changed. */
  readonly systemChanged: boolean
}

/** The session's own frozen copy of the transcript. */
export interface TranscriptLedger {
  readonly messages: readonly Message[]
  /**
   * Compares a host's list with the transcript and takes over what is new. Copies only that, before it returns.
   *
   * @throws InvalidMessagesError; the transcript is then as it was.
   */
  reconcile(incoming: readonly Message[]): TranscriptChange
  /** Remembers a request for the whole transcript, because the host may go on from it instead of its own list. */
  handOut(request: readonly Message[]): void
  clear(): void
}

/**
 * A host sends its whole history every time, or sends back the request that it was given with more behind it.
 * Both are recognised by comparing messages by value: exact, without hashes, and cheap because unchanged texts
 * compare at once. What the host changed in its history is taken over from the first difference on.
 */
export function createTranscriptLedger(): TranscriptLedger {
  let messages: readonly Message[] = Object.freeze([])
  let handedOut = NOTHING_HANDED_OUT

  const reconcile = (incoming: readonly Message[]): TranscriptChange => {
    const match = matchHostList(messages, handedOut, incoming)
    const fresh = incoming.slice(match.known).map((message, index) => snapshot(message, match.known + index))
    const system = match.systemChanged ? incoming.slice(0, leadingInstructions(messages)).map(snapshot) : []
    const dropped = messages.length - match.from
    handedOut = continueHandedOut(handedOut, match, fresh, dropped)
    if (dropped > 0 || fresh.length > 0 || system.length > 0)
      messages = Object.freeze([...system, ...messages.slice(system.length, match.from), ...fresh])
    return { from: match.from, dropped, systemChanged: match.systemChanged }
  }

  return {
    get messages() {
      return messages
    },
    reconcile(incoming) {
      assertMessages(incoming)
      try {
        return reconcile(incoming)
      } catch (error) {
        if (PalimpsestError.isInstance(error)) throw error
        // A getter of the host's that throws, or nesting beyond what the stack holds.
        throw new InvalidMessagesError(`the messages cannot be read: ${errorText(error)}`, { cause: error })
      }
    },
    handOut(request) {
      handedOut = { messages: request, tail: commonTail(request, messages), at: messages.length }
    },
    clear() {
      messages = Object.freeze([])
      handedOut = NOTHING_HANDED_OUT
    },
  }
}

/** A frozen copy of a host's list, for a call that has to wait while the host may change it. */
export function snapshotMessages(incoming: readonly Message[]): readonly Message[] {
  assertMessages(incoming)
  return incoming.map(snapshot)
}

function snapshot(message: Message, index: number): Message {
  const copy: unknown = snapshotMessage(message, `messages[${index}]`)
  assertMessage(copy, index)
  return copy
}

function assertMessages(incoming: readonly Message[]): void {
  if (!Array.isArray(incoming)) throw new InvalidMessagesError('messages must be a list')
  for (const [index, message] of incoming.entries()) assertMessage(message, index)
}

function assertMessage(message: unknown, index: number): asserts message is Message {
  if (typeof message === 'object' && message !== null && !Array.isArray(message)) return
  const found = message === null ? 'null' : Array.isArray(message) ? 'a list' : typeof message
  throw new InvalidMessagesError(`messages[${index}] must be an object with a role, got ${found}`)
}
