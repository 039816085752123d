import {
  equalValues,
  isBridge,
  isInstruction,
  type Message,
  repairMessages,
  stripReasoning,
} from '@palimpsest/core'
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
  if (length === list.length) return { seqs: held.seqs.slice(0, length) }
  const mended = matchMended(list, held)
  if (mended.length > length) return { seqs: mended }
  if (length === held.messages.length) return { seqs: held.seqs }
  // A bridge beside a summary comes and goes with what stands next to it: that is no edit.
  if (length < least || isBridge(list[length]) || isBridge(held.messages[length])) return undefined
  const replaceFrom = held.seqs.slice(length).find((seq) => seq !== null)
  return { seqs: held.seqs.slice(0, length), ...(typeof replaceFrom === 'number' && { replaceFrom }) }
}

/**
 * The numbers of the messages at the beginning of a list when they are the held ones with their broken pairs mended;
 * empty when they are not. The last one stands for all that was held.
 */
function matchMended(list: readonly Message[], held: HeldList): readonly (number | null)[] {
  if (held.messages.length === 0) return []
  const numbers = new Map(held.messages.map((message, index) => [message, held.seqs[index] ?? null]))
  const last = held.seqs.findLast((seq) => seq !== null) ?? null
  for (const inFlight of [false, true]) {
    const { messages } = repairMessages(held.messages, { inFlight })
    const seqs = messages.map((message) => numbers.get(message) ?? null)
    if (commonLength(list, { messages, seqs }) === messages.length) return [...seqs.slice(0, -1), last]
  }
  return []
}

/** How many messages at the beginning of two lists are the same; system prompts may have another text. */
export function commonLength(list: readonly Message[], { messages, seqs }: HeldList): number {
  const end = Math.min(list.length, messages.length)
  let index = end > 0 && isInstruction(list[0]) && isInstruction(messages[0]) ? 1 : 0
  while (index < end && isSame(list[index], messages[index], seqs[index] ?? null)) index++
  return index
}

/** True when the first is the second, message `seq`, as a host may hold it: without reasoning, or shown in part. */
function isSame(one: Message | undefined, other: Message | undefined, seq: number | null): boolean {
  if (one === other) return true
  if (one === undefined || other === undefined) return false
  if (equalValues(stripReasoning(one), stripReasoning(other))) return true
  return one.role === 'tool' && other.role === 'tool' && seq !== null && isShownInPart(one, seq)
}
