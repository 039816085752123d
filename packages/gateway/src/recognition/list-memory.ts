import { isDeepFrozen, type Message } from '@palimpsest/core'

/** Messages at the end of a known list that a client may have replaced in the next one. */
const CHANGING = 8

/** A list of which something was found out. */
export interface KnownList<Found> {
  readonly messages: readonly Message[]
  readonly found: Found
}

/**
 * Finds something out about a client's list. A list that goes on from a known one is looked at behind that alone: the same
 * frozen messages are known again.
 *
 * @param find gets the known beginning of the list; undefined where nothing is known.
 */
export function createListMemory<Found>(
  find: (messages: readonly Message[], known: KnownList<Found> | undefined) => Promise<Found>,
): (messages: readonly Message[]) => Promise<Found> {
  /** By the last message of the list. */
  const lists = new WeakMap<Message, KnownList<Found>>()

  const knownOf = (messages: readonly Message[]): KnownList<Found> | undefined => {
    for (let length = messages.length; length > Math.max(0, messages.length - CHANGING); length--) {
      const last = messages[length - 1]
      const known = typeof last === 'object' && last !== null ? lists.get(last) : undefined
      if (known?.messages.length === length && beginsWith(messages, known.messages)) return known
    }
    return undefined
  }

  return async (messages) => {
    const known = knownOf(messages)
    const found = await find(messages, known)
    const from = known?.messages.length ?? 0
    const last = messages.at(-1)
    if (last === undefined || !messages.slice(from).every((message) => isDeepFrozen(message ?? {})))
      return found
    // One list of a conversation is enough.
    if (known !== undefined) lists.delete(known.messages.at(-1) as Message)
    lists.set(last, { messages, found })
    return found
  }
}

/** Whether the same objects stand at the beginning. A loop, because lists are long. */
function beginsWith(messages: readonly Message[], beginning: readonly Message[]): boolean {
  for (let index = 0; index < beginning.length; index++)
    if (messages[index] !== beginning[index]) return false
  return true
}
