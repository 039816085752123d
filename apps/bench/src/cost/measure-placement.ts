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
import type { Pacing, PlacedSession } from './session-layouts.ts'

/** Where breakpoints stand, in money: one session, one price, one way to match, one strategy. */
export type PlacementRow = ReturnType<typeof measure>[number]

type Scenario = { readonly name: string; readonly pacing: Pacing; readonly target?: number }

const SCENARIOS: readonly Scenario[] = [
  { name: 'no pauses', pacing: 'steady', target: 1.01 },
  { name: 'pauses', pacing: 'with pauses' },
]

const STRATEGIES = ['sticky', 'system_and_3'] as const

export function measurePlacement(session: PlacedSession): PlacementRow[] {
  return COST_MODELS.flatMap((model) => SCENARIOS.flatMap((scenario) => measure(session, model, scenario)))
}

function measure(session: PlacedSession, model: string, scenario: Scenario) {
  const { name, pacing, target } = scenario
  const times = session.times(pacing)
  const requests = session.layouts.map((layout, index) => ({ layout, at: times[index] ?? 0 }))
  const profile = shortOnly(model)
  const bound = lowerBound(requests, profile)
  return MATCHING_MODES.flatMap((mode) =>
    STRATEGIES.map((strategy) => {
      const usd = simulate(requests, inMode(profile, mode), strategy)
      const placementRatio = usd / bound
      return {
        session: session.name,
        requests: requests.length,
        model,
        scenario: name,
        mode,
        strategy,
        /** US dollars, and what the same requests cost at least with the same lifetime. */
        usd,
        bound,
        placementRatio,
        ...(target !== undefined && strategy === 'sticky' && { target, passed: placementRatio <= target }),
      }
    }),
  )
}

/** What requests cost in US dollars, one after the other, on a cache that is empty before the first. */
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

/** Read prices of a tenth and a twentieth of the input price. */
export const COST_MODELS = ['claude-opus-5', 'claude-sonnet-5-5'] as const

/** The model whose prices all prompts and summaries have: reads at a twentieth of input. */
export const USUAL_MODEL = 'claude-sonnet-5-5'

export const MATCHING_MODES = ['collapsed', 'per-block', 'exact'] as const satisfies readonly CacheMatching[]

type MatchingMode = (typeof MATCHING_MODES)[number]

function inMode(profile: CachePricing, matching: MatchingMode): CachePricing {
  return { ...profile, matching, lookback: matching === 'exact' ? 1 : profile.lookback }
}

/** A model's profile with its short lifetime alone: what a strategy that uses no other is to be compared on. */
function shortOnly(model: string): CachePricing {
  const { long: _, ...profile } = findPricing({ model })
  return profile
}
