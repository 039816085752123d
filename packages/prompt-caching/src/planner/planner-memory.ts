import type { CacheBill } from '@palimpsest/core'
import type { CacheRequest } from '../cache/cache-state.ts'
import { type CacheState, EMPTY_CACHE } from '../cache/cache-state.ts'
import { rhythmOf } from '../cache/serve-request.ts'

export interface Sent {
  readonly request: CacheRequest
  readonly expected: CacheBill
  /** The assumed state of the provider's cache before it. */
  readonly before: CacheState
  /** The request before it that arrived. */
  readonly previous: CacheRequest | null
}

/** The planner's belief about the provider. */
export interface Belief {
  readonly state: CacheState
  /** The last request that arrived. */
  readonly request: CacheRequest | null
}

export type PlannerMemory = ReturnType<typeof createPlannerMemory>

/** A planner's memory of one conversation. A request counts as sent until it turns out that it was not. */
export function createPlannerMemory() {
  let state = EMPTY_CACHE
  let last: Sent | undefined
  let isAnswered = false
  /** Whether the host observes at all. */
  let observes = false

  const believed = (): Belief =>
    observes && last !== undefined && !isAnswered
      ? { state: last.before, request: last.previous }
      : { state, request: last?.request ?? null }

  return {
    /** The assumed state if the last request was sent. */
    get state() {
      return state
    },
    get last() {
      return last
    },
    /** The belief when the next request comes: without the last one, if its answer should have arrived by now. */
    believed,
    /** A request is sent, and leaves this state. */
    sent(request: CacheRequest, expected: CacheBill, after: CacheState): void {
      const { state: before, request: previous } = believed()
      last = { request, expected, before, previous }
      state = after
      isAnswered = false
    },
    /** The last request was answered. True the first time. */
    answered(): boolean {
      const isFirst = !isAnswered
      isAnswered = true
      observes = true
      return isFirst
    },
    /** The provider turned out to hold this: what was sent last has arrived. */
    correct(next: CacheState): void {
      state = next
      isAnswered = true
    },
    /** Another model: nothing is cached, and the conversation goes on. */
    forgetCache(): void {
      const { state: before } = believed()
      state = { ...EMPTY_CACHE, ...rhythmOf(before) }
      last = undefined
    },
    forget(): void {
      state = EMPTY_CACHE
      last = undefined
    },
  }
}
