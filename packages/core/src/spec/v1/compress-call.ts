import type { Message } from './message.ts'
import type { Origin } from './origin.ts'

/** The call of `compress`. Engines ignore keys that they do not know, so that the contract can grow. */
export interface CompressCall {
  /** The current projection with everything that was appended since. Never mutated. */
  readonly messages: readonly Message[]
  /** Where each of them comes from. Absent when the host has no session. */
  readonly origins?: readonly Origin[]
  /**
   * The size of the whole prompt now, in tokens, as far as the host knows: reported usage before estimates, tool
   * schemas included. Default: the engine's own count of `messages`.
   */
  readonly currentTokens?: number
  /**
   * The subject that the user wants the summary to dwell on. For the summariser alone: it is no part of the summary.
   */
  readonly focusTopic?: string
  /** The user or an overflow asks for it: cooldowns and back-offs do not apply. Default false. */
  readonly force?: boolean
  /**
   * The result must not be larger than this, in tokens of `messages` alone. Set when a provider refused a
   * prompt: compact harder than usual. Default: the engine's own target.
   */
  readonly targetTokens?: number
  /** Text from a memory system that the summariser may use. Redacted and bounded by the engine. */
  readonly memoryContext?: string
  /** Aborts; the promise rejects with `signal.reason` and the engine is as it was before. */
  readonly signal?: AbortSignal
}
