import { THRESHOLD_FLOOR_TOKENS } from '@palimpsest/core'
import { lazily, z } from '@palimpsest/core/options'

/** The defaults: those of Hermes Agent's compressor, except without a model. */
export const COMPRESSOR_DEFAULTS = Object.freeze({
  /**
   * Share of the usable window at which a compaction is due. If it is not set and no model writes summaries, windows
   * below 128,000 tokens compact later: at 64,000 tokens or 75 %, whichever is less.
   */
  threshold: 0.5,
  target_ratio: 0.2,
  /** The target ratio without a model, because the messages are better than excerpts of them. */
  target_ratio_without_model: 0.6,
  /** Number of messages at the end that stay verbatim, within one and a half times the tail's size. */
  protect_last_n: 20,
  /** Number of messages after the system prompt that stay verbatim, within a tenth of the room. */
  protect_first_n: 3,
  summariser: 'model',
  /** True if a model also writes a summary beside a compaction that only its provider can read. */
  portable: true,
})

/**
 * The engine's options: the keys of the `compression` block of `config.yaml`. All are optional; an unknown one is an
 * error.
 */
export const compressorOptionsSchema = lazily(() =>
  z.strictObject({
    /** Share of the usable window at which the engine compacts; without a model, later in small windows. Default 0.5. */
    threshold: z.number().min(0).max(1).optional(),
    /** Size of the tail, as a share of the threshold. Default 0.2; without a model 0.6. */
    target_ratio: z.number().min(0.1).max(0.8).optional(),
    /**
     * Number of newest messages that stay even if they exceed the tail's size, up to one and a half times that size.
     * Default 20.
     */
    protect_last_n: z.int().min(1).optional(),
    /**
     * `model`: the model writes the summaries. `native`: its provider compacts, if its API offers that; no first messages
     * stay then. `none`: summaries quote the conversation. Default `model`.
     */
    summariser: z.enum(['native', 'model', 'none']).optional(),
    /**
     * With `native`, the model writes a summary too, if only the provider can read the native one. Another model or key
     * can then continue. Default true.
     */
    portable: z.boolean().optional(),
    /**
     * Number of messages after the system prompt that stay word for word, if they fit into a tenth of the threshold.
     * Default 3.
     */
    protect_first_n: z.int().min(0).optional(),
  }),
)

export type CompressorOptions = z.input<ReturnType<typeof compressorOptionsSchema>>

export interface CompressorSettings {
  readonly isNative: boolean
  readonly isPortable: boolean
  readonly threshold: number
  readonly thresholdFloor: number
  readonly targetRatio: number
  readonly protectLastN: number
  readonly protectFirstN: number
}

export function resolveSettings(options: CompressorOptions, hasModel: boolean): CompressorSettings {
  const { threshold, target_ratio, target_ratio_without_model } = COMPRESSOR_DEFAULTS
  const isNative = (options.summariser ?? COMPRESSOR_DEFAULTS.summariser) === 'native'
  return {
    isNative,
    isPortable: options.portable ?? COMPRESSOR_DEFAULTS.portable,
    threshold: options.threshold ?? threshold,
    thresholdFloor: hasModel || options.threshold !== undefined ? 0 : THRESHOLD_FLOOR_TOKENS,
    targetRatio: options.target_ratio ?? (hasModel ? target_ratio : target_ratio_without_model),
    protectLastN: options.protect_last_n ?? COMPRESSOR_DEFAULTS.protect_last_n,
    // A provider's compaction must be the start of its prompt.
    protectFirstN: isNative ? 0 : (options.protect_first_n ?? COMPRESSOR_DEFAULTS.protect_first_n),
  }
}
