import type { Calibration } from '@palimpsest/core'

/** Weight that earlier observations keep when a new one comes: about the last ten matter. */
const MEMORY = 0.9
/** Providers' tokenizers differ from ours by less than this factor, either way; anything beyond is a mistake. */
const MAX_FACTOR = 2.5

/**
 * Learns from pairs of counted and reported prompt sizes by which factor a provider's tokenizer differs from
 * ours: the slope of a line through the pairs, by least squares in which old pairs fade. What the provider
 * adds to every prompt does not disturb it, as soon as two prompts of different size were seen. Deterministic.
 */
export function createCalibration(): Calibration {
  let weight = 0
  let meanCounted = 0
  let meanReported = 0
  let variance = 0
  let covariance = 0

  const factor = (): number => {
    // While all prompts were of about one size, the plain ratio is all that can be known.
    const spread = Math.sqrt(variance) > meanCounted * 0.05
    const slope = spread ? covariance / variance : meanReported / Math.max(1, meanCounted)
    return Math.min(MAX_FACTOR, Math.max(1 / MAX_FACTOR, slope))
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
    apply: (counted) => (weight === 0 ? counted : counted * factor()),
  }
}
