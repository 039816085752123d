import { getHeapStatistics } from 'node:v8'

/** What a session holds of a message at most, in bytes: see the rows of `measureMemory`, for messages of 2 KB. */
const HELD_BYTES = 24_000
/** Share of the heap that a session may fill: a collector without room takes the time that is measured. */
const HEAP_SHARE = 0.75
/** Longer conversations would tell nothing more, and are played for minutes. */
const MOST_REQUESTED = 100_000

/** A kind of measurement that stops at a size. */
export interface SizeLimit {
  readonly what: string
  /** Messages of the longest conversation that it takes. */
  readonly messages: number
  /** Why no longer one. */
  readonly reason: string
}

export const SIZE_LIMITS = {
  lists: {
    what: 'estimates, analyses and compactions of a list',
    messages: 10_000,
    reason: 'one list of that length is many times what a window holds',
  },
  peers: {
    what: 'peers',
    messages: 1_000,
    reason: 'trimMessages counts the rest of the list again for each message that it drops',
  },
  requests: {
    what: 'requests of engines that hold the conversation in memory',
    messages: Math.min(
      MOST_REQUESTED,
      Math.floor((getHeapStatistics().heap_size_limit * HEAP_SHARE) / HELD_BYTES),
    ),
    reason: `the conversation and what is known of it take up to ${HELD_BYTES / 1000} KB of memory for each message`,
  },
  memory: {
    what: 'memory',
    messages: 10_000,
    reason: 'it grows with the messages, and each session has to be played again',
  },
} as const satisfies Record<string, SizeLimit>

export type Limited = keyof typeof SIZE_LIMITS

/** Those of some sizes that are measured. */
export function sizesIn(kind: Limited, sizes: readonly number[]): number[] {
  return sizes.filter((size) => size <= SIZE_LIMITS[kind].messages)
}
