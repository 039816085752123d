import type { Calibration } from '@palimpsest/core'

/** Weight of earlier observations when a new one arrives: about the last ten matter. */
const MEMORY = 0.9
/** A slope outside these bounds is not the tokenizer's: providers' tokenizers differ less from ours. */
const FACTOR_BOUNDS = { min: 0.8, max: 2 }
/** Prompts must vary by this share of their mean to separate a factor from a fixed part. */
const LEAST_SPREAD = 0.05

/**
 * Learns a provider's tokenizer factor from counted and reported prompt sizes: the slope of a least-squares line in
 * which old pairs fade. Fixed additions by the host or provider do not disturb it. The factor is 1 until prompts of
 * different sizes were seen. Deterministic.
 */
export function createCalibration(): Calibration {
  let weight = 0
  let meanCounted = 0
  let meanReported = 0
  let variance = 0
  let covariance = 0

  const factor = (): number => {
    // Prompts of one size say nothing: the difference may be the host's fixed part.
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
