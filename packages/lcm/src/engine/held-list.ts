import type { Message } from '@palimpsest/core'
import type { WindowMessage } from './window.ts'

/** A list that the host holds: messages, and the number of each in the session; null for what the engine wrote. */
export interface HeldList {
  readonly messages: readonly Message[]
  readonly seqs: readonly (number | null)[]
}

export const NOTHING_HELD: HeldList = Object.freeze({ messages: [], seqs: [] })

export function heldFrom(stored: readonly WindowMessage[]): HeldList {
  return { messages: stored.map(({ message }) => message), seqs: stored.map(({ seq }) => seq) }
}

export function joinHeld(one: HeldList, other: HeldList): HeldList {
  return { messages: [...one.messages, ...other.messages], seqs: [...one.seqs, ...other.seqs] }
}

/** The part of a list before message `seq`. */
export function heldBefore({ messages, seqs }: HeldList, seq: number): HeldList {
  const at = seqs.findIndex((known) => known !== null && known >= seq)
  return at === -1 ? { messages, seqs } : { messages: messages.slice(0, at), seqs: seqs.slice(0, at) }
}

/** The part of a list from message `seq` on. */
export function heldFromSeq({ messages, seqs }: HeldList, seq: number): HeldList {
  const at = seqs.findIndex((known) => known !== null && known >= seq)
  return at === -1 ? NOTHING_HELD : { messages: messages.slice(at), seqs: seqs.slice(at) }
}
