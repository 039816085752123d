import { isInstruction, leadingInstructions } from '../messages/instructions.ts'
import { equalValues } from '../messages/json-value.ts'
import type { Message } from '../spec/v1/index.ts'

export interface Said {
  readonly said: Message
  readonly isLost: boolean
}

export interface HandedOut {
  readonly messages: readonly Message[]
  readonly tail: number
  readonly at: number
}

interface HostMatch {
  readonly known: number
  readonly from: number
  readonly systemChanged: boolean
  readonly adopted?: HandedOut
}

/**
 * Finds where a host's list continues: in the log, or in the earlier list that matches more. Only this function
 * compares messages to identify them.
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
  // The same list may have been returned twice, with different system prompts.
  const [best] = matches.sort(
    (one, other) => other.known - one.known || Number(one.systemChanged) - Number(other.systemChanged),
  )
  if (best !== undefined) return best
  const system = leadingOf(log)
  const systemChanged = differs(log, incoming, Math.min(system, known))
  // Only the system prompt differs: another conversation, which the engine must read from the start.
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
  // A host without a session may send new messages before it appends them to a returned list.
  const more = commonLength(log.slice(at), incoming.slice(known))
  const list = {
    messages: [...messages, ...log.slice(at, at + more).map(({ said }) => said)],
    tail: tail + more,
    at: at + more,
  }
  return { known: known + more, from: at + more, systemChanged, adopted: list }
}

export function continueAdopted({ known, from, adopted }: HostMatch, fresh: readonly Message[]) {
  return (
    adopted && {
      messages: [...adopted.messages.slice(0, known), ...fresh],
      tail: adopted.tail - (adopted.messages.length - known) + fresh.length,
      at: from + fresh.length,
    }
  )
}

export function isSaid({ said, isLost }: Said, message: Message | undefined): boolean {
  return equalValues(said, message) || (isLost && !isInstruction(said) && !isInstruction(message))
}

const asSaid = (said: Message): Said => ({ said, isLost: false })

function commonLength(known: readonly Said[], incoming: readonly Message[]): number {
  const system = leadingOf(known)
  let index = system === leadingInstructions(incoming) ? system : 0
  const end = Math.min(known.length, incoming.length)
  for (; index < end; index++) {
    const one = known[index] as Said
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
