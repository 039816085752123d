import type { Origin } from '@palimpsest/core'
import type { LcmSession } from '../store/lcm-session.ts'
import { cutAt, type ListMatch } from './match-list.ts'
import type { NewMessage } from './window-message.ts'

interface ToldMessage {
  /** Its number in the session; null for what an engine wrote. */
  readonly seq: number | null
  /** Hash of what the host said, which may be a part of what is stored. Undefined when an earlier engine was told. */
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
  tell(from: number, list: readonly NewMessage[], seqs: readonly (number | null)[], isPart?: boolean): void
  /** These are stored, and the host may tell them next. */
  expect(seqs: readonly number[]): void
  clear(): void
}

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
      const hashes = await storedHashes(known.slice(0, list.length), open)
      const differs = list.findIndex((given, index) => {
        const { seq, hash } = known[index] ?? {}
        return (hash ?? hashes.get(seq)) !== given.hash
      })
      return cutAt(known, differs === -1 ? list.length : differs)
    },
    doubt(from) {
      unsure = from
    },
    tell(from, list, seqs, isPart = false) {
      const end = from + seqs.length
      const rest = isPart ? messages.slice(end) : []
      messages.length = Math.min(messages.length, from)
      // One by one: a history is longer than a call may have arguments.
      for (const [index, seq] of seqs.entries()) messages.push({ seq, hash: list[index]?.hash })
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

async function storedHashes(
  known: readonly ToldMessage[],
  open: () => Promise<LcmSession>,
): Promise<ReadonlyMap<unknown, string>> {
  const asked = known.flatMap(({ seq, hash }) => (seq !== null && hash === undefined ? [seq] : []))
  const [first, last] = [asked[0], asked.at(-1)]
  if (first === undefined || last === undefined) return new Map()
  const session = await open()
  const hashes = await session.hashes({ first, last, limit: last - first + 1 })
  return new Map(hashes.map(({ seq, hash }) => [seq, hash]))
}
