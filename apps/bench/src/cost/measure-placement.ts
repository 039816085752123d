import {
  type CacheMatching,
  type CachePricing,
  type CacheStrategy,
  findPricing,
  lowerBound,
  simulateStrategy,
} from '@palimpsest/prompt-caching'
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
  const price = (matched: CachePricing, strategy: CacheStrategy) =>
    simulateStrategy(requests, matched, { strategy })
  return MATCHING_MODES.flatMap((mode) =>
    STRATEGIES.map((strategy) => {
      const { total } = price(inMode(profile, mode), strategy)
      const placementRatio = total.usd / bound
      return {
        session: session.name,
        requests: requests.length,
        model,
        scenario: name,
        mode,
        strategy,
        /** US dollars, and what the same requests cost at least with the same lifetime. */
        usd: total.usd,
        bound,
        placementRatio,
        ...(target !== undefined && strategy === 'sticky' && { target, passed: placementRatio <= target }),
      }
    }),
  )
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
