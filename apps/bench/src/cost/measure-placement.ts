import {
  type CacheMatching,
  type CachePricing,
  type CacheStrategy,
  EMPTY_CACHE,
  findPricing,
  type PlanRequest,
  planRequest,
} from '@palimpsest/prompt-caching'
import { lowerBound } from './lower-bound.ts'
import type { PlacedSession } from './session-layouts.ts'

export type PlacementRow = ReturnType<typeof measure>[number]

const TARGET = 1.01

const STRATEGIES = ['sticky', 'system_and_3'] as const

export function measurePlacement(session: PlacedSession): PlacementRow[] {
  return COST_MODELS.flatMap((model) => measure(session, model))
}

function measure({ name, layouts, times }: PlacedSession, model: string) {
  const requests = layouts.map((layout, index) => ({ layout, at: times[index] ?? 0 }))
  const profile = shortOnly(model)
  const bound = lowerBound(requests, profile)
  return MATCHING_MODES.flatMap((mode) =>
    STRATEGIES.map((strategy) => {
      const usd = simulate(requests, inMode(profile, mode), strategy)
      const placementRatio = usd / bound
      return {
        session: name,
        requests: requests.length,
        model,
        mode,
        strategy,
        usd,
        bound,
        placementRatio,
        ...(strategy === 'sticky' && { target: TARGET, passed: placementRatio <= TARGET }),
      }
    }),
  )
}

function simulate(requests: Iterable<PlanRequest>, pricing: CachePricing, strategy: CacheStrategy): number {
  let state = EMPTY_CACHE
  let usd = 0
  for (const request of requests) {
    const served = planRequest(request, state, pricing, { strategy })
    state = served.state
    usd += served.bill.usd
  }
  return usd
}

export const COST_MODELS = ['claude-opus-5', 'claude-sonnet-5-5'] as const

export const USUAL_MODEL = 'claude-sonnet-5-5'

export const MATCHING_MODES = ['collapsed', 'per-block', 'exact'] as const satisfies readonly CacheMatching[]

type MatchingMode = (typeof MATCHING_MODES)[number]

function inMode(profile: CachePricing, matching: MatchingMode): CachePricing {
  return { ...profile, matching, lookback: matching === 'exact' ? 1 : profile.lookback }
}

function shortOnly(model: string): CachePricing {
  const { long: _, ...profile } = findPricing({ model })
  return profile
}
