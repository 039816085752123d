import { commonLength, digest, type PrefixHashes } from './prefix-hashes.ts'

/** Hashes that are kept of a conversation: 1 KB, so that what a request costs does not grow with its history. */
const KEPT = 64

/**
 * The part of a conversation's list that is kept to recognise it. Each hash stands for everything before it, so that
 * one is enough for all turns but the last.
 */
export interface Checkpoint {
  /** The hash of everything before the last turn; of the first message when there is one turn. */
  readonly anchor: string
  /** Index of the last turn's first message. */
  readonly turn: number
  /** Index of the message that `hashes` begin with. */
  readonly first: number
  /** One a message up to the end of the list, of the last 64 at most. */
  readonly hashes: readonly string[]
}

/** Of a conversation that begins with a list: nothing of it was answered yet. */
export function firstCheckpoint(prefix: PrefixHashes): Checkpoint {
  return { anchor: anchorAt(prefix, 0), turn: 0, first: 0, hashes: [] }
}

export function checkpointOf(prefix: PrefixHashes): Checkpoint {
  const { hashes, users } = prefix
  const turn = users.at(-1) ?? 0
  const first = Math.max(0, hashes.length - KEPT)
  return { anchor: anchorAt(prefix, turn), turn, first, hashes: hashes.slice(first) }
}

/**
 * The number of messages of a list that a checkpoint knows, for choosing among several; undefined when the list parts
 * from it before the last turn.
 */
export function knownLength(
  { anchor, turn, first, hashes }: Checkpoint,
  prefix: PrefixHashes,
): number | undefined {
  if (anchorAt(prefix, turn) !== anchor) return undefined
  const common = commonLength(hashes, prefix.hashes.slice(first))
  return Math.max(turn, common === 0 ? 0 : first + common)
}

/** Where a checkpoint may be anchored that a list goes on from: at one of its turns, or at the next one. */
export function anchorsOf(prefix: PrefixHashes): readonly string[] {
  const { hashes, users } = prefix
  return [...new Set([0, ...users, hashes.length].map((turn) => anchorAt(prefix, turn)))]
}

function anchorAt({ root, hashes }: PrefixHashes, turn: number): string {
  return hashes.at(Math.max(0, turn - 1)) ?? digest(root)
}
