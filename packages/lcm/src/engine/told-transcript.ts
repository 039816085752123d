import type { Origin } from '@palimpsest/core'
import { storedBeginning } from '../history/stored-beginning.ts'
import type { LcmSession } from '../store/lcm-session.ts'
import { cutAt, type ListMatch } from './match-list.ts'
import type { NewMessage } from './window-message.ts'

interface ToldMessage {
  /** Its number in the session; null for what an engine wrote. */
  readonly seq: number | null
  /** Hash of what the host said, which may be a part of what is stored. Undefined for the stored message itself. */
  readonly hash?: string | undefined
}

/** The host's transcript: which message of the session each of its messages is. */
export interface ToldTranscript {
  readonly length: number
  /** So many of them the host said itself; the others are stored from before a start, and it may say them yet. */
  readonly said: number
  /** The number of the message at an index; null for what an engine wrote, and where nothing was told. */
  seqAt(index: number): number | null
  /** The index of the first message with this number or a higher one; the length when there is none. */
  indexFrom(seq: number): number
  /** The index behind the last message with this number or a lower one; 0 when there is none. */
  indexBehind(seq: number): number
  /** The number of the last message that the host said itself; -1 before the first. */
  lastSaid(): number
  /** The numbers of messages with these origins; undefined when one is not known. */
  seqsOf(origins: readonly Origin[]): readonly (number | null)[] | undefined
  /** Compares what the host says from an index on with what it said of the same places before: by place and hash. */
  match(list: readonly NewMessage[], from: number): Promise<ListMatch>
  /** The host says something from an index on. What stands there is not known until it was taken over, with `tell`. */
  doubt(from: number): void
  /** The host said a list from an index on. `isPart`: what is known of the messages behind it stays. */
  tell(from: number, list: readonly NewMessage[], match: ListMatch, isPart?: boolean): void
  /** These are stored, and the host may tell them next. */
  expect(seqs: readonly number[]): void
  clear(): void
}

const NONE = { first: 0, last: -1 }

export function createToldTranscript(open: () => Promise<LcmSession>): ToldTranscript {
  let messages: ToldMessage[] = []
  let said = 0
  let unsure = Number.POSITIVE_INFINITY
  const seqAt = (index: number): number | null => messages[index]?.seq ?? null
  return {
    get length() {
      return messages.length
    },
    get said() {
      return said
    },
    seqAt,
    indexFrom(seq) {
      const at = messages.findIndex((message) => message.seq !== null && message.seq >= seq)
      return at === -1 ? messages.length : at
    },
    indexBehind(seq) {
      let index = messages.length
      for (; index > 0; index--) {
        const own = seqAt(index - 1)
        if (own !== null && own <= seq) break
      }
      return index
    },
    lastSaid() {
      for (let index = said - 1; index >= 0; index--) {
        const seq = seqAt(index)
        if (seq !== null) return seq
      }
      return -1
    },
    seqsOf(origins) {
      const known = Math.min(messages.length, unsure)
      if (origins.some((origin) => origin.from === 'transcript' && origin.index >= known)) return undefined
      return origins.map((origin) => (origin.from === 'transcript' ? seqAt(origin.index) : null))
    },
    async match(list, from) {
      const known = messages.slice(from)
      const asked: number[] = []
      const seqs: number[] = []
      for (const [index, { seq, hash }] of known.slice(0, list.length).entries()) {
        if (seq === null || hash !== undefined) continue
        asked.push(index)
        seqs.push(seq)
      }
      const given = asked.map((index) => (list[index] as NewMessage).message)
      const stored = asked.length > 0 ? await storedBeginning(await open(), seqs, given) : 0
      const same = new Set(asked.slice(0, stored))
      const differs = list.findIndex(
        (message, index) => !same.has(index) && known[index]?.hash !== message.hash,
      )
      return cutAt(known, differs === -1 ? list.length : differs)
    },
    doubt(from) {
      unsure = from
    },
    tell(from, list, { seqs, stored = NONE }, isPart = false) {
      const end = from + seqs.length
      const rest = isPart ? messages.slice(end) : []
      messages.length = Math.min(messages.length, from)
      // One by one: a history is longer than a call may have arguments.
      for (const [index, seq] of seqs.entries())
        messages.push(
          index >= stored.first && index <= stored.last ? { seq } : { seq, hash: list[index]?.hash },
        )
      for (const message of rest) messages.push(message)
      said = isPart ? Math.max(said, end) : end
      unsure = Number.POSITIVE_INFINITY
    },
    expect(seqs) {
      for (const seq of seqs) messages.push({ seq })
    },
    clear() {
      messages = []
      said = 0
      unsure = Number.POSITIVE_INFINITY
    },
  }
}
