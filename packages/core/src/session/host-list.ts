import { isInstruction, leadingInstructions } from '../messages/instructions.ts'
import { equalValues } from '../messages/json-value.ts'
import type { Message } from '../spec/v1/index.ts'

/** A message of the log as a host said it. */
export interface Said {
  readonly said: Message
  /** Its content was deleted, or is damaged in the store: whatever a host says in its place is taken for it, but for instructions. */
  readonly isLost: boolean
}

/** A list that the host was given, and may send back with more after it. */
export interface HandedOut {
  readonly messages: readonly Message[]
  /** Messages at its end that are those at the end of the log. */
  readonly tail: number
  /** Length of the log at that time. */
  readonly at: number
}

interface HostMatch {
  /** Messages of the host's list that are known. */
  readonly known: number
  /** Index in the log at which the rest of the list goes on. */
  readonly from: number
  readonly systemChanged: boolean
  /** The list that it goes on from; undefined when that is the log. */
  readonly adopted?: HandedOut
}

/**
 * Where a host's list goes on from what is known: from the log, or from one of the lists that it was given, if that explains more
 * of it. Nothing else compares messages to find out which they are.
 */
export function matchHostList(
  log: readonly Said[],
  given: readonly (HandedOut | undefined)[],
  incoming: readonly Message[],
): HostMatch {
  const known = commonLength(log, incoming)
  const matches =
    known === log.length
      ? []
      : given.flatMap((list) => (list && matchHandedOut(log, list, incoming, known)) ?? [])
  // The same list may have been given twice, with another system prompt.
  const [best] = matches.sort(
    (one, other) => other.known - one.known || Number(one.systemChanged) - Number(other.systemChanged),
  )
  if (best !== undefined) return best
  const system = leadingOf(log)
  const systemChanged = differs(log, incoming, Math.min(system, known))
  // Nothing but a different system prompt: another conversation, which the engine has to see from its beginning.
  const isOther = systemChanged && known === system && system < log.length
  return isOther ? { known: 0, from: 0, systemChanged: false } : { known, from: known, systemChanged }
}

function matchHandedOut(
  log: readonly Said[],
  adopted: HandedOut,
  incoming: readonly Message[],
  knownToLog: number,
): HostMatch | undefined {
  const { messages, tail, at } = adopted
  const request = messages.map(asSaid)
  const known = commonLength(request, incoming)
  if (known < request.length - tail || known <= knownToLog) return undefined
  const system = leadingOf(request)
  const systemChanged = differs(request, incoming, system) && differs(log, incoming, system)
  if (systemChanged && leadingOf(log) !== system) return undefined
  if (known < request.length) return { known, from: at - (request.length - known), systemChanged, adopted }
  // A host without a session says new messages before it sends them after what it was given.
  const more = commonLength(log.slice(at), incoming.slice(known))
  const list = {
    messages: [...messages, ...log.slice(at, at + more).map(({ said }) => said)],
    tail: tail + more,
    at: at + more,
  }
  return { known: known + more, from: at + more, systemChanged, adopted: list }
}

/** The host's list after a match: the one that it was given, with its own messages after it. */
export function continueAdopted({ known, from, adopted }: HostMatch, fresh: readonly Message[]) {
  return (
    adopted && {
      messages: [...adopted.messages.slice(0, known), ...fresh],
      tail: adopted.tail - (adopted.messages.length - known) + fresh.length,
      at: from + fresh.length,
    }
  )
}

/** Whether a host's message is one of the log. */
export function isSaid({ said, isLost }: Said, message: Message | undefined): boolean {
  return equalValues(said, message) || (isLost && !isInstruction(said) && !isInstruction(message))
}

const asSaid = (said: Message): Said => ({ said, isLost: false })

/** Length of the common beginning; system prompts at the beginning of both lists may differ in their text. */
function commonLength(known: readonly Said[], incoming: readonly Message[]): number {
  const system = leadingOf(known)
  let index = system === leadingInstructions(incoming) ? system : 0
  const end = Math.min(known.length, incoming.length)
  for (; index < end; index++) {
    const one = known[index] as Said
    // The host's objects are mostly those that it got, and a history may be long.
    if (one.said !== incoming[index] && !isSaid(one, incoming[index])) break
  }
  return index
}

function differs(known: readonly Said[], incoming: readonly Message[], length: number): boolean {
  return known.slice(0, length).some((one, index) => !isSaid(one, incoming[index]))
}

function leadingOf(list: readonly Said[]): number {
  const first = list.findIndex(({ said }) => !isInstruction(said))
  return first === -1 ? list.length : first
}
