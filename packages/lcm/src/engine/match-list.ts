import { equalValues, isInstruction, type Message, repairMessages, stripReasoning } from '@palimpsest/core'
import type { HeldList } from './held-list.ts'
import { isShownInPart } from './large-results.ts'

/** How a list of the host goes together with what the session knows. */
export interface ListMatch {
  /** The numbers of the messages at its beginning that are known. */
  readonly seqs: readonly (number | null)[]
  /** When the host edited its history: messages from this number on gave way to the rest of the list. */
  readonly replaceFrom?: number
}

/**
 * Compares a list with the one that the host is expected to hold. Messages are recognised by their place and their
 * value, reasoning apart, which is stripped when something before it changes; the system prompt may have a new text.
 * Undefined when the lists part before `least` messages, so that another comparison is called for.
 */
export function matchHeld(list: readonly Message[], held: HeldList, least: number): ListMatch | undefined {
  const length = commonLength(list, held)
  if (length === list.length || length === held.messages.length) return { seqs: held.seqs.slice(0, length) }
  const mended = mendedLength(list, held)
  if (mended > 0) return { seqs: mendedSeqs(mended, held) }
  if (length < least) return undefined
  const replaceFrom = held.seqs.slice(length).find((seq) => seq !== null)
  return { seqs: held.seqs.slice(0, length), ...(typeof replaceFrom === 'number' && { replaceFrom }) }
}

/** How many messages of a list are the held ones with their broken pairs mended; 0 when they are not. */
function mendedLength(list: readonly Message[], held: HeldList): number {
  for (const inFlight of [true, false]) {
    const { messages } = repairMessages(held.messages, { inFlight })
    const length = commonLength(list, { messages, seqs: messages.map(() => null) })
    if (length === messages.length) return length
  }
  return 0
}

/** Mended messages belong to nothing by themselves: together they stand for all that was held. */
function mendedSeqs(length: number, { seqs }: HeldList): (number | null)[] {
  const last = seqs.findLast((seq) => seq !== null) ?? null
  return Array.from({ length }, (_, index) => (index === length - 1 ? last : null))
}

function commonLength(list: readonly Message[], { messages, seqs }: HeldList): number {
  const end = Math.min(list.length, messages.length)
  let index = end > 0 && isInstruction(list[0]) && isInstruction(messages[0]) ? 1 : 0
  while (index < end && isSame(list[index], messages[index], seqs[index] ?? null)) index++
  return index
}

function isSame(one: Message | undefined, other: Message | undefined, seq: number | null): boolean {
  if (one === other) return true
  if (one === undefined || other === undefined) return false
  if (equalValues(stripReasoning(one), stripReasoning(other))) return true
  return one.role === 'tool' && other.role === 'tool' && seq !== null && isShownInPart(one, seq)
}
