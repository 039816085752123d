import type { Calibration } from '@palimpsest/core'

/** Weight that earlier observations keep when a new one comes: about the last ten matter. */
const MEMORY = 0.9
/** Providers' tokenizers differ from ours by no more than this; a slope beyond says something else. */
const FACTOR_BOUNDS = { min: 0.8, max: 2 }
/** Prompts differ enough to tell a factor from a fixed part when they scatter by this share of their mean. */
const LEAST_SPREAD = 0.05

/**
 * Learns from pairs of counted and reported prompt sizes by which factor a provider's tokenizer differs from
 * ours: the slope of a line through the pairs, by least squares in which old pairs fade. What a host or a provider
 * adds to every prompt does not disturb it. Until prompts of different size were seen the factor is 1. Deterministic.
 */
export function createCalibration(): Calibration {
  let weight = 0
  let meanCounted = 0
  let meanReported = 0
  let variance = 0
  let covariance = 0

  const factor = (): number => {
    // One size of prompt says nothing: what is reported beyond the count may be the host's own fixed part.
    if (variance <= 0 || Math.sqrt(variance) < meanCounted * LEAST_SPREAD) return 1
    const slope = covariance / variance
    return slope > 0 ? Math.min(FACTOR_BOUNDS.max, Math.max(FACTOR_BOUNDS.min, slope)) : 1
  }

  return {
    observe(counted, reported) {
      if (!(counted > 0 && reported > 0 && Number.isFinite(counted + reported))) return
      weight = weight * MEMORY + 1
      const share = 1 / weight
      const fromMean = counted - meanCounted
      const reportedFromMean = reported - meanReported
      meanCounted += share * fromMean
      meanReported += share * reportedFromMean
      variance = (1 - share) * (variance + share * fromMean * fromMean)
      covariance = (1 - share) * (covariance + share * fromMean * reportedFromMean)
    },
    apply: (counted) => counted * factor(),
  }
}
