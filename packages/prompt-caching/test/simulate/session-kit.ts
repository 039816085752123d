import type { CacheRequest, Marker } from '../../src/cache/cache-state.ts'
import { blockOf } from '../../src/layout/marker-blocks.ts'
import type { RequestLayout } from '../../src/layout/request-layout.ts'
import type { CachePricing } from '../../src/pricing/cache-pricing.ts'
import { simulate } from '../../src/simulate/simulate.ts'
import { TEST_PRICING, type TestMessage, user } from '../layouts.ts'

export const SECOND = 1000
export const MINUTE = 60 * SECOND

/** Every block is one position. */
export const PER_BLOCK: CachePricing = { ...TEST_PRICING, matching: 'per-block' }
/** A breakpoint finds only what ends where it stands. */
export const EXACT: CachePricing = { ...TEST_PRICING, matching: 'exact', lookback: 1 }
/** `count` messages of 200 tokens. */
export function conversation(count: number): TestMessage[] {
  return Array.from({ length: count }, (_, index) => user(`message ${index}`, 200))
}

/** A breakpoint on a block of a message. */
export function at(layout: RequestLayout, index: number, ttl: Marker['ttl'] = '5m', block = 0): Marker {
  const found = blockOf(layout, { at: 'message', index, block })
  if (found === undefined) throw new Error(`no message ${index}`)
  return { block: found, ttl }
}

/** A breakpoint at the end of the system prompt. */
export function onSystem(layout: RequestLayout, ttl: Marker['ttl'] = '5m'): Marker {
  return { block: layout.blocks.findLastIndex(({ kind }) => kind === 'system'), ttl }
}

/** A breakpoint on the last block. */
export function tail(layout: RequestLayout): Marker {
  return { block: layout.blocks.length - 1, ttl: '5m' }
}

/** Tokens read by each request, with a breakpoint at the end of each. */
export function reads(requests: readonly Omit<CacheRequest, 'markers'>[], pricing = TEST_PRICING): number[] {
  return simulate(
    requests.map((request) => ({ ...request, markers: [tail(request.layout)] })),
    pricing,
  ).bills.map(({ read }) => read)
}
