import { errorText, InvalidMessagesError, PalimpsestError } from '../errors/errors.ts'
import { leadingInstructions } from '../messages/instructions.ts'
import { equalValues, snapshotMessage } from '../messages/json-value.ts'
import type { Message } from '../spec/v1/index.ts'

export interface TranscriptChange {
  /** Index in the transcript of the first message that is new; its length when nothing is. */
  readonly from: number
  /** The messages that the host took back by editing its history, in order. */
  readonly taken: readonly Message[]
  readonly added: number
  /** The system prompt as it was, when its text changed. */
  readonly system?: readonly Message[]
}

export type TranscriptLedger = ReturnType<typeof createTranscriptLedger>

/**
 * The session's own frozen copy of the transcript. A host sends its whole history every time, or sends back the request that it
 * was given with more after it. Both are recognised by comparing messages by value: unchanged texts compare at once. What the
 * host changed in its history is taken over from the first difference on.
 */
export function createTranscriptLedger() {
  let messages: readonly Message[] = Object.freeze([])
  let handedOut: HandedOut | undefined
  /** The list of a host that went on from one that it was given, which it may do for many requests. */
  let adopted: HandedOut | undefined

  const takeOver = (
    from: number,
    added: readonly Message[],
    system: readonly Message[] = [],
  ): TranscriptChange => {
    const before = system.length > 0 && { system: messages.slice(0, system.length) }
    const taken = messages.slice(from)
    messages = Object.freeze([...system, ...messages.slice(system.length, from), ...added])
    return { from, taken, added: added.length, ...before }
  }

  const reconcile = (incoming: readonly Message[]): TranscriptChange => {
    assertMessages(incoming)
    const match = matchHostList(messages, [handedOut, adopted], incoming)
    const { known, from, systemChanged } = match
    const system = systemChanged ? incoming.slice(0, leadingInstructions(messages)).map(snapshot) : []
    const fresh = incoming.slice(known).map((message, index) => snapshot(message, known + index))
    adopted = continueAdopted(match, fresh)
    if (from < messages.length) handedOut = undefined
    return takeOver(from, fresh, system)
  }

  return {
    get messages() {
      return messages
    },
    /**
     * Compares a host's list with the transcript and takes over what is new.
     *
     * @throws InvalidMessagesError; the transcript is then as it was.
     */
    reconcile(incoming: readonly Message[]): TranscriptChange {
      try {
        return reconcile(incoming)
      } catch (error) {
        if (PalimpsestError.isInstance(error)) throw error
        // A getter of the host's that throws, or nesting beyond what the stack holds.
        throw new InvalidMessagesError(`the messages cannot be read: ${errorText(error)}`, { cause: error })
      }
    },
    append: (added: readonly Message[]) => takeOver(messages.length, added.map(snapshot)),
    /** Remembers a request for the whole transcript, because the host may go on from it instead of its own list. */
    handOut(request: readonly Message[]): void {
      const isShared = (back: number) => equalValues(request.at(-1 - back), messages.at(-1 - back))
      let tail = 0
      while (tail < Math.min(request.length, messages.length) && isShared(tail)) tail++
      handedOut = { messages: request, tail, at: messages.length }
    },
    clear(): void {
      messages = Object.freeze([])
      handedOut = undefined
      adopted = undefined
    },
  }
}

/** A list that the host was given, and may send back with more behind it. */
interface HandedOut {
  readonly messages: readonly Message[]
  /** Messages at its end that are those at the end of the transcript. */
  readonly tail: number
  /** Length of the transcript at that time. */
  readonly at: number
}

interface HostMatch {
  /** Messages of the host's list that are known. */
  readonly known: number
  /** Index in the transcript at which the rest of the list goes on. */
  readonly from: number
  readonly systemChanged: boolean
  /** The list that it goes on from; undefined when that is the transcript. */
  readonly adopted?: HandedOut
}

/**
 * Where a host's list goes on from what is known: from the transcript, or from one of the lists that it was given, if
 * that explains more of it.
 */
function matchHostList(
  transcript: readonly Message[],
  given: readonly (HandedOut | undefined)[],
  incoming: readonly Message[],
): HostMatch {
  const known = commonLength(transcript, incoming)
  const matches =
    known === transcript.length
      ? []
      : given.flatMap((list) => (list && matchHandedOut(transcript, list, incoming, known)) ?? [])
  // The same list may have been given twice, with another system prompt.
  const [best] = matches.sort(
    (one, other) => other.known - one.known || Number(one.systemChanged) - Number(other.systemChanged),
  )
  if (best !== undefined) return best
  const system = leadingInstructions(transcript)
  const systemChanged = differs(transcript, incoming, Math.min(system, known))
  // Nothing but a different system prompt: another conversation, which the engine has to see from its beginning.
  const isOther = systemChanged && known === system && system < transcript.length
  return isOther ? { known: 0, from: 0, systemChanged: false } : { known, from: known, systemChanged }
}

function matchHandedOut(
  transcript: readonly Message[],
  adopted: HandedOut,
  incoming: readonly Message[],
  knownToTranscript: number,
): HostMatch | undefined {
  const { messages: request, tail, at } = adopted
  const known = commonLength(request, incoming)
  if (known < request.length - tail || known <= knownToTranscript) return undefined
  const system = leadingInstructions(request)
  const systemChanged = differs(request, incoming, system) && differs(transcript, incoming, system)
  if (systemChanged && leadingInstructions(transcript) !== system) return undefined
  return { known, from: at - (request.length - known), systemChanged, adopted }
}

/** The host's list after a match: the one that it was given, with its own messages behind. */
function continueAdopted({ known, from, adopted }: HostMatch, fresh: readonly Message[]) {
  return (
    adopted && {
      messages: [...adopted.messages.slice(0, known), ...fresh],
      tail: adopted.tail - (adopted.messages.length - known) + fresh.length,
      at: from + fresh.length,
    }
  )
}

/** Length of the common beginning; system prompts in front of both lists may differ in their text. */
function commonLength(known: readonly Message[], incoming: readonly Message[]): number {
  const system = leadingInstructions(known)
  let index = system === leadingInstructions(incoming) ? system : 0
  const end = Math.min(known.length, incoming.length)
  while (index < end && equalValues(known[index], incoming[index])) index++
  return index
}

function differs(known: readonly Message[], incoming: readonly Message[], length: number): boolean {
  return known.slice(0, length).some((message, index) => !equalValues(message, incoming[index]))
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
