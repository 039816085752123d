import type { CacheRepair } from '@palimpsest/core'
import type { CacheProfile } from '../profile/cache-profile.ts'

/** What is known of the model that a conversation is held with. */
export interface ModelProfile {
  readonly profile: CacheProfile
  /** Empty for a model that is known. */
  readonly repairs: readonly CacheRepair[]
}

/**
 * The profile of a model that is changed to. For one without a profile nothing is marked, and prices stay those of the
 * model before, as the nearest guess that there is.
 */
export function modelProfile(
  model: string,
  before: CacheProfile,
  profileOf: (model: string) => CacheProfile,
): ModelProfile {
  try {
    return { profile: profileOf(model), repairs: [] }
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'this model has no profile'
    const message = `${reason}. Nothing is marked, and prices are those of ${before.model}.`
    return {
      profile: { ...before, matching: 'exact', lookback: 1, maxBreakpoints: 0 },
      repairs: [{ rule: 'unknown-model', message }],
    }
  }
}
