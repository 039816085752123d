/** The numbers of the engine's own compaction. `seed` is the described system (its README); the rest is ours. */
export const COMPACTION_DEFAULTS = Object.freeze({
  /** Prompt size at which the profile `seed` compacts, in tokens (seed). */
  seedThresholdTokens: 35_000,
  /** Prompt size above which it compacts when the topic shifts, in tokens (seed). */
  seedShiftTokens: 25_000,
  /** Length of a summary, in tokens (seed: 800 to 1,200). */
  summaryTokens: { least: 800, most: 1_200 },
  /** Share of a summary's length that identifiers which its text dropped may take in the profile `seed`, if it leaves as much. */
  seedIdentifierShare: 0.2,
  /** Their room otherwise, beside the summary: a share of the room, and in tokens at most. */
  identifiers: { share: 0.13, most: 4_000 },
  /** The room of quoted lines: a share of the room, and in tokens at most. */
  excerpts: { share: 0.44, most: 6_000 },
  /** Share of the threshold that recent messages keep after a compaction. */
  tailShare: 0.3,
  /** Share of the room that a summary may take where windows are small. */
  summaryShare: 0.25,
  /** Share of a summary's length, and of its identifiers', that is left where what must stay takes nearly all of the room. */
  leastShare: 0.6,
  /** However small the usable window is, the profile `seed` compacts below this share of it. */
  seedWindowShare: 0.85,
})
