import type { RequestLayout } from '../layout/request-layout.ts'

/**
 * - `sticky`: remembers what the provider holds and marks it again, exactly.
 * - `system_and_3`: the system prompt and the last three messages, as Hermes Agent marks them, without any memory.
 * - `off`: no breakpoints.
 */
export type CacheStrategy = 'sticky' | 'system_and_3' | 'off'

export interface KeepAliveOptions {
  /** The most that the pings of one session may cost together, in US dollars. */
  readonly budgetUsd: number
}

export interface PlanOptions {
  /** Default `sticky`. */
  readonly strategy?: CacheStrategy
  /**
   * The lifetime of breakpoints: `5m` the short one of the pricing, `1h` the long one where there is one, `auto`
   * the short one until a pause outlasts it, then the long one. Default `5m`.
   */
  readonly ttl?: '5m' | '1h' | 'auto'
  /** Whether the host pings during pauses; only `auto` asks. Default null: it does not. */
  readonly keepAlive?: KeepAliveOptions | null
}

export interface PlanRequest {
  readonly layout: RequestLayout
  readonly at: number
  /** False when no other request will begin with this one. Default true. */
  readonly followUp?: boolean
  /** From the start to the beginning of the answer, in milliseconds, where it is known. Default 0. */
  readonly firstTokenMs?: number
}
