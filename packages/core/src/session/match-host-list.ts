import { equalValues } from '../messages/equal-values.ts'
import { leadingInstructions } from '../messages/merge-instructions.ts'
import type { Message } from '../spec/v1/message.ts'

/** A list that the host was given, and may send back with more behind it. */
export interface HandedOut {
  readonly messages: readonly Message[]
  /** Messages at its end that are those at the end of the transcript. */
  readonly tail: number
  readonly at: number
}

/** Where a host's list continues what is known. */
export interface HostMatch {
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
 * that explains more of it. Pure.
 *
 * @param same messages at the beginning that are those of the transcript for certain, texts of system prompts apart.
 */
export function matchHostList(
  transcript: readonly Message[],
  given: readonly HandedOut[],
  incoming: readonly Message[],
  same: number,
): HostMatch {
  const known = commonLength(transcript, incoming, same)
  if (known < transcript.length) {
    const matches = given.flatMap((list) => matchHandedOut(transcript, list, incoming, known) ?? [])
    // The same list may have been given twice, with another system prompt.
    const [best] = matches.sort(
      (one, other) => other.known - one.known || Number(one.systemChanged) - Number(other.systemChanged),
    )
    if (best !== undefined) return best
  }
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
  const isTailOnly = known >= request.length - tail
  if (!isTailOnly || known <= knownToTranscript) return undefined
  const system = leadingInstructions(request)
  const systemChanged = differs(request, incoming, system) && differs(transcript, incoming, system)
  if (systemChanged && leadingInstructions(transcript) !== system) return undefined
  return { known, from: at - (request.length - known), systemChanged, adopted }
}

/** The host's list after a match: the one that it was given, with its own messages behind. Undefined when it goes on from the transcript. */
export function continueAdopted(
  { known, from, adopted }: HostMatch,
  fresh: readonly Message[],
): HandedOut | undefined {
  if (adopted === undefined) return undefined
  const { messages, tail } = adopted
  return {
    messages: [...messages.slice(0, known), ...fresh],
    tail: tail - (messages.length - known) + fresh.length,
    at: from + fresh.length,
  }
}

/** Length of the common beginning; system prompts in front of both lists may differ in their text. */
function commonLength(known: readonly Message[], incoming: readonly Message[], same = 0): number {
  const system = leadingInstructions(known)
  let index = Math.max(same, system === leadingInstructions(incoming) ? system : 0)
  const end = Math.min(known.length, incoming.length)
  while (index < end && equalValues(known[index], incoming[index])) index++
  return index
}

/** Length of the common end of two lists. */
export function commonTail(list: readonly Message[], messages: readonly Message[]): number {
  let length = 0
  while (length < list.length && length < messages.length) {
    if (!equalValues(list.at(-1 - length), messages.at(-1 - length))) break
    length++
  }
  return length
}

function differs(known: readonly Message[], incoming: readonly Message[], length: number): boolean {
  for (let index = 0; index < length; index++) if (!equalValues(known[index], incoming[index])) return true
  return false
}
