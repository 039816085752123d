import { equalValues, type Message } from '@palimpsest/core'
import type { AgentMessage } from './host-types.ts'

/** A message as the engine sees it, and the host's own, which is not known of one that was read from a store. */
export interface Told {
  readonly message: Message
  readonly own?: AgentMessage
}

/** Messages that OpenClaw may put at the beginning of a history that it cut, such as a first question. */
const MOST_ADDED = 2

/**
 * The whole history. OpenClaw reads the end of a transcript only, eight bytes for each token of the window: what goes before it
 * is known from earlier turns. Undefined when the list is not the end of what is known.
 */
export function completeHistory(known: readonly Told[], list: readonly Told[]): Told[] | undefined {
  for (let added = 0; added <= Math.min(MOST_ADDED, list.length - 1); added++) {
    const rest = list.slice(added)
    for (let start = Math.max(0, known.length - rest.length); start < known.length; start++)
      if (agrees(known, start, rest)) return [...known.slice(0, start), ...rest]
  }
  return undefined
}

/** True when everything that is known from an index on is the beginning of the list. */
function agrees(known: readonly Told[], start: number, list: readonly Told[]): boolean {
  for (let index = start; index < known.length; index++)
    if (!equalValues(known[index]?.message, list[index - start]?.message)) return false
  return true
}
