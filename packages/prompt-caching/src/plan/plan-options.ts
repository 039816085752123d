import type { SessionPauses } from '../cache/cache-state.ts'
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
   * The lifetime of breakpoints: `5m` the short one of the pricing, `1h` the long one where there is one, `auto` what
   * is cheaper for the pauses that are expected. Default `5m`.
   */
  readonly ttl?: '5m' | '1h' | 'auto'
  /** Pings during pauses, which the host sends. Default null: it sends none. */
  readonly keepAlive?: KeepAliveOptions | null
  /**
   * Earlier sessions of the same people or machines, from whose pauses `auto` and pings expect those of this one. All
   * together they weigh as much as 200 requests. Default none.
   */
  readonly earlier?: readonly SessionPauses[]
}

export interface PlanRequest {
  readonly layout: RequestLayout
  readonly at: number
  /** False when no other request will begin with this one. Default true. */
  readonly followUp?: boolean
  /** From the start to the beginning of the answer, in milliseconds, where it is known. Default 0. */
  readonly firstTokenMs?: number
}
