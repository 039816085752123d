import * as z from 'zod'

/**
 * What an engine may be told. Every key is optional; its default comes from the profile. An unknown key is an
 * error. The keys are those of the `compression` block of `config.yaml`.
 */
export const compressorOptionsSchema = z.strictObject({
  /** `lean` (default) keeps less verbatim and more facts; `classic` is the compressor as it was first described. */
  profile: z.enum(['lean', 'classic']).optional(),
  /** Share of the usable window at which compaction begins. */
  threshold: z.number().gt(0).lt(1).optional(),
  /** Size of the verbatim tail as a share of the threshold. */
  target_ratio: z.number().min(0.1).max(0.8).optional(),
  /** Messages at the end that stay verbatim where they fit. */
  protect_last_n: z.int().min(1).optional(),
  /** Messages behind the system prompt that stay verbatim. */
  protect_first_n: z.int().min(0).optional(),
})

export type CompressorOptions = z.input<typeof compressorOptionsSchema>

/** The constants of a profile. Tokens unless a name says otherwise. */
export interface CompressorProfile {
  readonly name: 'lean' | 'classic'
  /** Share of the usable window at which compaction begins. */
  readonly threshold: number
  /** Size of the verbatim tail as a share of the threshold; null sizes it by the window. */
  readonly targetRatio: number | null
  /** Bounds of a tail that is sized by the window: its share, and the least and the most. */
  readonly tailWindow: {
    readonly share: number
    readonly min: number
    readonly max: number
    readonly maxShare: number
  }
  readonly protectLastN: number
  readonly protectFirstN: number
  /** Whether the protected head is summarised too from the second compaction on. */
  readonly headDecays: boolean
  /** Size of a summary as a share of what it replaces. */
  readonly summaryRatio: number
  readonly summaryMin: number
  readonly summaryMax: number
  /** The most a summary may take of the window. */
  readonly summaryWindowShare: number
  /** Tool results of the tail that are older than this many rounds are cleared when they are long. */
  readonly keepToolRounds: number
  /** Characters from which an old tool result is long. */
  readonly clearedResultCharacters: number
  /** Tokens for the user's own words, verbatim, beside the summary. */
  readonly userMessagesMax: number
  /** Tokens for identifiers that the summary dropped. */
  readonly identifiersMax: number
  /** Whether the system prompt gets a note about the compaction. It costs the whole cache once. */
  readonly systemNote: boolean
}

/**
 * The defaults. `classic` has the numbers of Hermes Agent's first compressor; `lean` those that its authors came
 * to after five months of use (state of September 2026).
 */
export const COMPRESSOR_PROFILES: Readonly<Record<'lean' | 'classic', CompressorProfile>> = Object.freeze({
  classic: {
    name: 'classic',
    threshold: 0.5,
    targetRatio: 0.2,
    tailWindow: { share: 0, min: 0, max: 0, maxShare: 1 },
    protectLastN: 20,
    protectFirstN: 3,
    headDecays: false,
    summaryRatio: 0.2,
    summaryMin: 2_000,
    summaryMax: 12_000,
    summaryWindowShare: 0.05,
    keepToolRounds: Number.POSITIVE_INFINITY,
    clearedResultCharacters: 200,
    userMessagesMax: 0,
    identifiersMax: 2_000,
    systemNote: true,
  },
  lean: {
    name: 'lean',
    threshold: 0.5,
    targetRatio: null,
    tailWindow: { share: 0.025, min: 10_000, max: 25_000, maxShare: 0.15 },
    protectLastN: 8,
    protectFirstN: 3,
    headDecays: true,
    summaryRatio: 0.2,
    summaryMin: 2_000,
    summaryMax: 10_000,
    summaryWindowShare: 0.05,
    keepToolRounds: 6,
    clearedResultCharacters: 1_500,
    userMessagesMax: 6_000,
    identifiersMax: 6_000,
    systemNote: false,
  },
})

/** The profile that options ask for, with its numbers replaced by theirs. */
export function resolveProfile(options: CompressorOptions): CompressorProfile {
  const profile = COMPRESSOR_PROFILES[options.profile ?? 'lean']
  return {
    ...profile,
    threshold: options.threshold ?? profile.threshold,
    targetRatio: options.target_ratio ?? profile.targetRatio,
    protectLastN: options.protect_last_n ?? profile.protectLastN,
    protectFirstN: options.protect_first_n ?? profile.protectFirstN,
  }
}
