import { THRESHOLD_FLOOR_TOKENS } from '@palimpsest/core'
import { lazily, z } from '@palimpsest/core/options'

/**
 * The options of the engine. Every key is optional; its default comes from the profile. An unknown key is an
 * error. The keys are those of the `compression` block of `config.yaml`.
 */
export const compressorOptionsSchema = lazily(() =>
  z.strictObject({
    /** `lean` keeps less verbatim and more facts; `classic` is the compressor as it was first described. */
    profile: z.enum(['lean', 'classic']).optional(),
    /**
     * Share of the usable window at which compaction begins: 1 when it is full, 0 never. Without it `lean` begins at half of the
     * window, and in windows below 128,000 tokens at 64,000 tokens or 75 %, whichever is less.
     */
    threshold: z.number().min(0).max(1).optional(),
    /** Size of the verbatim tail as a share of the threshold, as far as the room below the threshold goes. */
    target_ratio: z.number().min(0.1).max(0.8).optional(),
    /** Messages at the end that stay verbatim: in `classic` as long as the window holds them, in `lean` where the tail has room. */
    protect_last_n: z.int().min(1).optional(),
    /**
     * Messages behind the system prompt that stay verbatim, up to 10 % of the room below the threshold in `classic` and 5 %
     * in `lean`, where none do by default: the summary quotes what the user asked first.
     */
    protect_first_n: z.int().min(0).optional(),
  }),
)

export type CompressorOptions = z.input<ReturnType<typeof compressorOptionsSchema>>

/** The constants of a profile. Tokens unless a name says otherwise. */
export interface CompressorProfile {
  readonly name: 'lean' | 'classic'
  /** Share of the usable window at which compaction begins; 0 for never. */
  readonly threshold: number
  /** In small windows compaction begins at this many tokens, or at 75 % where that is less; 0 for the share alone. */
  readonly thresholdFloor: number
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
  /** Whether the last messages stay as long as the window holds them, instead of where the tail has room. */
  readonly lastNIsMinimum: boolean
  readonly protectFirstN: number
  /** The most that the protected head may take of the room below the threshold. */
  readonly headShare: number
  /** Size of a summary as a share of what it replaces. */
  readonly summaryRatio: number
  readonly summaryMin: number
  readonly summaryMax: number
  /** The most a summary may take of the window. */
  readonly summaryWindowShare: number
  /** Tool results of the tail that have so many characters and more rounds of tools behind them are reduced to a line; null keeps them. */
  readonly oldResults: { readonly rounds: number; readonly characters: number } | null
  /** Tool results that leave are reduced to a line for the model that summarises above so many characters; null shows them whole. */
  readonly clearedCharacters: number | null
  /** Tokens for quoted lines beside a model's summary. */
  readonly excerptsMax: number
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
    thresholdFloor: 0,
    targetRatio: 0.2,
    tailWindow: { share: 0, min: 0, max: 0, maxShare: 1 },
    protectLastN: 20,
    lastNIsMinimum: true,
    protectFirstN: 3,
    headShare: 0.1,
    summaryRatio: 0.2,
    summaryMin: 2_000,
    summaryMax: 12_000,
    summaryWindowShare: 0.05,
    oldResults: null,
    clearedCharacters: 200,
    excerptsMax: 0,
    identifiersMax: 2_000,
    systemNote: true,
  },
  lean: {
    name: 'lean',
    threshold: 0.5,
    thresholdFloor: THRESHOLD_FLOOR_TOKENS,
    targetRatio: null,
    tailWindow: { share: 0.075, min: 10_000, max: 25_000, maxShare: 0.15 },
    protectLastN: 8,
    lastNIsMinimum: false,
    protectFirstN: 0,
    headShare: 0.05,
    summaryRatio: 0.2,
    summaryMin: 2_000,
    summaryMax: 10_000,
    summaryWindowShare: 0.05,
    oldResults: { rounds: 6, characters: 6_000 },
    clearedCharacters: null,
    excerptsMax: 6_000,
    identifiersMax: 3_000,
    systemNote: false,
  },
})

/** The profile that options ask for, with its numbers replaced by theirs. */
export function resolveProfile(options: CompressorOptions): CompressorProfile {
  const profile = COMPRESSOR_PROFILES[options.profile ?? 'lean']
  return {
    ...profile,
    threshold: options.threshold ?? profile.threshold,
    thresholdFloor: options.threshold === undefined ? profile.thresholdFloor : 0,
    targetRatio: options.target_ratio ?? profile.targetRatio,
    protectLastN: options.protect_last_n ?? profile.protectLastN,
    protectFirstN: options.protect_first_n ?? profile.protectFirstN,
  }
}
