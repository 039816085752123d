import type { LcmSession } from '../store/lcm-session.ts'
import type { ListMatch } from './match-list.ts'
import type { NewMessage } from './window-message.ts'

/** A message of the host's transcript. */
export interface ToldMessage {
  /** Its number in the session; null for what an engine wrote. */
  readonly seq: number | null
  /** Hash of what the host said, which may be a part of what is stored. Undefined when an earlier engine was told. */
  readonly hash?: string
}

/** Messages of a host with their numbers. */
export function toTold(list: readonly NewMessage[], seqs: readonly (number | null)[]): ToldMessage[] {
  return seqs.map((seq, index) => {
    const hash = list[index]?.encoded.hash
    return hash === undefined ? { seq } : { seq, hash }
  })
}

/**
 * Compares what the host says of its transcript with what it said of the same places before: by place and hash.
 * `known` are the messages that stood there.
 */
export async function matchTold(
  list: readonly NewMessage[],
  known: readonly ToldMessage[],
  open: () => Promise<LcmSession>,
): Promise<ListMatch> {
  const hashes = await storedHashes(known.slice(0, list.length), open)
  const differs = list.findIndex(({ encoded }, index) => {
    const { seq, hash } = known[index] ?? {}
    return (hash ?? hashes.get(seq)) !== encoded.hash
  })
  const length = differs === -1 ? list.length : differs
  const seqs = known.map(({ seq }) => seq)
  const replaceFrom = seqs.slice(length).find((seq) => seq !== null)
  return { seqs: seqs.slice(0, length), ...(typeof replaceFrom === 'number' && { replaceFrom }) }
}

/** Hashes of messages that this engine was not told. */
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
