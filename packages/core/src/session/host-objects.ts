import { isDeepFrozen } from '../messages/copy-message.ts'
import { equalValues } from '../messages/equal-values.ts'
import { leadingInstructions } from '../messages/merge-instructions.ts'
import type { Message } from '../spec/v1/message.ts'
import type { HostMatch } from './match-host-list.ts'

/** So many messages at the end of a list are compared by value although they are the host's same objects: it might change them. */
const COMPARED = 1_000
/** So many earlier ones are compared too in each call, in turn. */
const COMPARED_EARLIER = 200

/** The host's own objects, by which messages that it sends again are known at once. */
export interface HostObjects {
  /**
   * The number of messages at the beginning of a list that are those of the transcript, texts of system prompts apart: as
   * far as the host's objects go, and others that are few and equal. None when one was changed in place.
   */
  recognise(transcript: readonly Message[], incoming: readonly Message[]): number
  /** Whether the message at an index is the host's own object. */
  has(index: number, message: Message | undefined): boolean
  /** Remembers the objects of a list that was matched with the transcript. */
  follow(incoming: readonly Message[], match: HostMatch): void
  clear(): void
}

/**
 * A loop over its own variables alone: it takes each message of a history in each turn. `===` would read each object to find
 * out what it is, and most are in no cache of the processor: that takes five times as long.
 */
function sameBeginning(list: readonly Message[], other: readonly Message[], end: number): number {
  let at = 0
  while (at < end && Object.is(list[at], other[at])) at++
  return at
}

export function createHostObjects(): HostObjects {
  /** At the place of each message; shorter than the transcript when the rest is not known. */
  let objects: Message[] = []
  /** The last known message of a list whose objects were all new: when it comes again, the host keeps them. */
  let probe: { readonly at: number; readonly message: Message | undefined } | undefined
  /** The next of the earlier messages to be compared. */
  let next = 0
  /** Objects at the beginning that the last list had as well, and those of them that nothing can change. */
  let [identical, settled] = [0, 0]

  const push = (message: Message, at: number): void => {
    if (objects.length === at) objects.push(message)
  }

  return {
    recognise(transcript, incoming) {
      const isEqual = (index: number) => equalValues(transcript[index], incoming[index])
      const isUnchanged = (index: number) => isDeepFrozen(objects[index] as Message) || isEqual(index)
      const system = leadingInstructions(transcript)
      const end = Math.min(objects.length, incoming.length)
      identical = sameBeginning(incoming, objects, end)
      let same = Math.max(identical, system === leadingInstructions(incoming) ? system : 0)
      for (let others = 0; same < end; same++)
        if (incoming[same] !== objects[same] && (++others > COMPARED || !isEqual(same))) break
      settled = Math.min(settled, identical)
      while (settled < identical && isDeepFrozen(objects[settled] as Message)) settled++
      const changeable = Math.max(system, settled)
      const recent = Math.max(changeable, same - COMPARED)
      for (let index = recent; index < same; index++) if (!isUnchanged(index)) return 0
      if (next < changeable || next >= recent) next = changeable
      const last = Math.min(recent, next + COMPARED_EARLIER)
      for (; next < last; next++) if (!isUnchanged(next)) return 0
      return same
    },
    has: (index, message) => objects[index] === message,
    follow(incoming, { known, from, adopted }) {
      if (!adopted) {
        if (probe !== undefined && incoming[probe.at] === probe.message) objects = incoming.slice(0, known)
        let others = 0
        for (let index = Math.min(known, objects.length) - 1; index >= identical; index--) {
          if (incoming[index] === objects[index]) continue
          objects[index] = incoming[index] as Message
          others++
        }
        // A host that builds all objects anew does so again: they would only be kept alive.
        if (others > COMPARED) {
          probe = { at: known - 1, message: incoming[known - 1] }
          objects = []
        } else if (objects.length > 0) probe = undefined
        if (probe === undefined)
          for (let index = objects.length; index < known; index++) objects.push(incoming[index] as Message)
      }
      objects.length = Math.min(objects.length, from)
      for (let index = known; index < incoming.length; index++)
        push(incoming[index] as Message, from + index - known)
    },
    clear() {
      objects = []
      probe = undefined
      next = 0
      identical = 0
      settled = 0
    },
  }
}
