import { errorText } from '../errors/error-text.ts'
import { InvalidMessagesError } from '../errors/invalid-messages-error.ts'
import { PalimpsestError } from '../errors/palimpsest-error.ts'
import { snapshotMessage, twinOf } from '../messages/copy-message.ts'
import { leadingInstructions } from '../messages/merge-instructions.ts'
import type { Message } from '../spec/v1/message.ts'
import { createHostObjects } from './host-objects.ts'
import { commonTail, continueAdopted, type HandedOut, matchHostList } from './match-host-list.ts'
import { createPause, inSlices, type Sliced } from './pause.ts'

/** So many new messages of a list are copied before anything else has a turn: some milliseconds. */
const COPIED_AT_ONCE = 2_000

/** A change of the transcript by a host's list. */
export interface TranscriptChange {
  /** Index in the transcript of the first message that is new; its length when nothing is. */
  readonly from: number
  /** Messages that the host took back by editing its history; 0 when it only appended. */
  readonly dropped: number
  /** The messages that the host took back, in order. */
  readonly taken: readonly Message[]
  /** Messages that are new. */
  readonly added: number
  /** The system prompt as it was, when its text changed. */
  readonly system?: readonly Message[]
}

/** The session's own frozen copy of the transcript. */
export interface TranscriptLedger {
  /** Grows in place, because a copy for each turn would cost the whole history: not to be kept or handed out. */
  readonly messages: readonly Message[]
  /** A frozen list of the messages, the same one until they change. */
  snapshot(): readonly Message[]
  /**
   * Compares a host's list with the transcript and takes over what is new. Copies only that: up to 2,000 messages before it
   * returns, and the rest in slices.
   *
   * @throws InvalidMessagesError; the transcript is then as it was.
   */
  reconcile(incoming: readonly Message[]): Promise<TranscriptChange>
  /** Takes over messages behind the transcript. Throws as `reconcile` does. */
  append(added: readonly Message[]): TranscriptChange
  /**
   * Forgets what was found out about messages that are not shown any more: all of that hangs on their objects, so those
   * before `end` get new ones, but for the shown. In slices. `forget`: told of each.
   */
  letGo(end: number, shown: ReadonlySet<number>, forget: (message: Message) => void): Promise<void>
  /** Messages from this one on are shown again: they may be let go anew. */
  regain(from: number): void
  /** Remembers a request for the whole transcript, because the host may go on from it instead of its own list. */
  handOut(request: readonly Message[]): void
  clear(): void
}

/**
 * A host sends its whole history every time, or sends back the request that it was given with more behind it.
 * Both are recognised by comparing messages by value: exact, without hashes, and cheap because unchanged texts
 * compare at once. Objects that the host sends again are known by identity. What the host changed in its history is
 * taken over from the first difference on.
 */
export function createTranscriptLedger(): TranscriptLedger {
  const messages: Message[] = []
  let whole: readonly Message[] | undefined
  let handedOut: HandedOut | undefined
  /** The list of a host that went on from one that it was given, which it may do for many requests. */
  let adopted: HandedOut | undefined
  /** Messages at the beginning that were let go. */
  let gone = 0
  const objects = createHostObjects()

  const takeOver = (from: number, added: readonly Message[], system: readonly Message[]) => {
    const before = system.length > 0 && { system: messages.slice(0, system.length) }
    const taken = messages.slice(from)
    if (taken.length + added.length + system.length > 0) whole = undefined
    messages.length = from
    gone = Math.min(gone, from)
    for (const [index, message] of system.entries()) messages[index] = message
    for (const message of added) messages.push(message)
    return { from, dropped: taken.length, taken, added: added.length, ...before }
  }

  const reconcile = function* (incoming: readonly Message[]): Sliced<TranscriptChange> {
    const same = objects.recognise(messages, incoming)
    for (let index = same; index < incoming.length; index++) assertMessage(incoming[index], index)
    const given = [handedOut, adopted].filter((list) => list !== undefined)
    const match = matchHostList(messages, given, incoming, same)
    const { known } = match
    // The host may go on with its list in a pause.
    const list = incoming.length - known > COPIED_AT_ONCE ? incoming.slice() : incoming
    const system = match.systemChanged ? list.slice(0, leadingInstructions(messages)).map(snapshot) : []
    const fresh: Message[] = []
    for (let index = known; index < list.length; index++) {
      if (fresh.length > 0 && fresh.length % COPIED_AT_ONCE === 0) yield
      fresh.push(snapshot(list[index] as Message, index))
    }
    adopted = continueAdopted(match, fresh)
    if (match.from < messages.length) handedOut = undefined
    objects.follow(list, match)
    return takeOver(match.from, fresh, system)
  }

  return {
    messages,
    snapshot() {
      whole ??= Object.freeze([...messages])
      return whole
    },
    async reconcile(incoming) {
      if (!Array.isArray(incoming)) throw new InvalidMessagesError('messages must be a list')
      try {
        return await inSlices(reconcile(incoming))
      } catch (error) {
        if (PalimpsestError.isInstance(error)) throw error
        // A getter of the host's that throws, or nesting beyond what the stack holds.
        throw new InvalidMessagesError(`the messages cannot be read: ${errorText(error)}`, { cause: error })
      }
    },
    append(added) {
      return takeOver(messages.length, added.map(snapshot), [])
    },
    async letGo(end, shown, forget) {
      const pause = createPause()
      for (; gone < end; gone++) {
        const message = messages[gone] as Message
        // The host's own objects live on anyway.
        if (!shown.has(gone) && !objects.has(gone, message)) {
          messages[gone] = twinOf(message)
          forget(message)
        }
        await pause()
      }
      whole = undefined
    },
    regain(from) {
      gone = Math.min(gone, from)
    },
    handOut(request) {
      handedOut = { messages: request, tail: commonTail(request, messages), at: messages.length }
    },
    clear() {
      messages.length = 0
      gone = 0
      whole = undefined
      objects.clear()
      handedOut = undefined
      adopted = undefined
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
