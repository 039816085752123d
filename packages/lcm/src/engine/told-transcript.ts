import type { Origin } from '@palimpsest/core'
import { storedBeginning } from '../history/stored-beginning.ts'
import type { LcmSession } from '../store/lcm-session.ts'
import { cutAt, type ListMatch } from './match-list.ts'
import type { NewMessage } from './window.ts'

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
  /** Numbers in the session, by index; null for what an engine wrote. */
  let seqs: (number | null)[] = []
  /** By index: what the host said where that may be a part of what is stored. A store knows all others by itself. */
  const hashes = new Map<number, string>()
  let said = 0
  let unsure = Number.POSITIVE_INFINITY
  const seqAt = (index: number): number | null => seqs[index] ?? null
  return {
    get length() {
      return seqs.length
    },
    get said() {
      return said
    },
    seqAt,
    indexFrom(seq) {
      const at = seqs.findIndex((own) => own !== null && own >= seq)
      return at === -1 ? seqs.length : at
    },
    indexBehind(seq) {
      let index = seqs.length
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
      const known = Math.min(seqs.length, unsure)
      if (origins.some((origin) => origin.from === 'transcript' && origin.index >= known)) return undefined
      return origins.map((origin) => (origin.from === 'transcript' ? seqAt(origin.index) : null))
    },
    async match(list, from) {
      const known = seqs.slice(from)
      const asked: number[] = []
      const numbers: number[] = []
      for (const [index, seq] of known.slice(0, list.length).entries()) {
        if (seq === null || hashes.has(from + index)) continue
        asked.push(index)
        numbers.push(seq)
      }
      const given = asked.map((index) => (list[index] as NewMessage).message)
      const stored = asked.length > 0 ? await storedBeginning(await open(), numbers, given) : 0
      const same = new Set(asked.slice(0, stored))
      const differs = list.findIndex(
        (message, index) => !same.has(index) && hashes.get(from + index) !== message.hash,
      )
      return cutAt(known, differs === -1 ? list.length : differs)
    },
    doubt(from) {
      unsure = from
    },
    tell(from, list, { seqs: told, stored = NONE }, isPart = false) {
      const end = from + told.length
      for (const [index, seq] of told.entries()) {
        seqs[from + index] = seq
        const hash = index >= stored.first && index <= stored.last ? undefined : list[index]?.hash
        if (hash === undefined) hashes.delete(from + index)
        else hashes.set(from + index, hash)
      }
      if (!isPart && seqs.length > end) {
        seqs.length = end
        for (const index of hashes.keys()) if (index >= end) hashes.delete(index)
      }
      said = isPart ? Math.max(said, end) : end
      unsure = Number.POSITIVE_INFINITY
    },
    expect(expected) {
      for (const seq of expected) seqs.push(seq)
    },
    clear() {
      seqs = []
      hashes.clear()
      said = 0
      unsure = Number.POSITIVE_INFINITY
    },
  }
}
