import type { CacheBill, CacheVerdict, Usage } from '@palimpsest/core'
import type { CacheState } from '../cache/cache-state.ts'
import type { Marker } from '../cache/planned-request.ts'
import type { RequestLayout } from '../layout/request-layout.ts'
import type { CacheProfile } from '../profile/cache-profile.ts'
import type { Difference } from './first-difference.ts'

/** What was sent, and what the provider said about it. */
export interface UsageInput {
  readonly usage: Usage
  readonly planned: {
    readonly layout: RequestLayout
    readonly markers: readonly Marker[]
    readonly expected: CacheBill
    /** Start, in milliseconds since the epoch. */
    readonly at: number
  }
  /** The request before, if there was one. */
  readonly previous: { readonly layout: RequestLayout; readonly at: number } | null
  /** What the provider was believed to hold before the request. */
  readonly state: CacheState
  readonly profile: CacheProfile
}

/** What the reason for a miss is found from. Sizes in the provider's tokens. */
export interface Evidence extends UsageInput {
  readonly read: number
  /** Null: the provider did not say. */
  readonly written: number | null
  /** What should have been read. */
  readonly expected: number
  readonly promptTokens: number
  readonly difference: Difference | null
}

/** What was found, for programs and for people. */
export interface Finding {
  readonly verdict: CacheVerdict
  readonly message: string
}
