import type { Message } from './message.ts'
import type { Origin } from './origin.ts'
import type { Warning } from './warning.ts'

/**
 * - `compacted`: fewer tokens than before.
 * - `unchanged`: nothing to do, or nothing to gain; `reason` says which.
 * - `aborted`: the summariser failed and everything was kept.
 * - `deferred`: not now, ask again later (a cooldown, a lease that another worker holds).
 */
export type CompressOutcome = 'compacted' | 'unchanged' | 'aborted' | 'deferred'

export interface CompressResult {
  readonly outcome: CompressOutcome
  /** Kebab-case, for programs: why this outcome. */
  readonly reason: string
  /** The new projection; for every outcome but `compacted`, the messages of the call. */
  readonly messages: readonly Message[]
  /** Where each of them comes from. Default: the session finds out by comparing them with those of the call. */
  readonly origins?: readonly Origin[]
  /** Tokens of the call's messages, by the engine's counter. */
  readonly tokensBefore: number
  /** Tokens of the result's messages, by the engine's counter. */
  readonly tokensAfter: number
  /** Index of the first message that differs from the call's: from here on a provider's cache is lost. */
  readonly changedFrom: number
  readonly warnings: readonly Warning[]
  /** A few words for a person: what was kept and what was summarised. */
  readonly summary?: string
}
