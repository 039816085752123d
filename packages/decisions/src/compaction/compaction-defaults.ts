/** The numbers of the engine's own compaction. `seed` is the described system (its README); the rest is ours. */
export const COMPACTION_DEFAULTS = Object.freeze({
  /** Prompt size at which the profile `seed` compacts, in tokens (seed). */
  seedThresholdTokens: 35_000,
  /** Prompt size above which it compacts when the topic shifts, in tokens (seed). */
  seedShiftTokens: 25_000,
  /** Length of a summary, in tokens (seed: 800 to 1,200). */
  summaryTokens: { least: 800, most: 1_200 },
  /** Share of the threshold that recent messages keep after a compaction. */
  tailShare: 0.3,
  /** However small the usable window is, the profile `seed` compacts below this share of it. */
  seedWindowShare: 0.85,
})
