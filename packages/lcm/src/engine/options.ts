import { lazily, z } from '@palimpsest/core/options'

/**
 * The engine's defaults, in tokens unless a name says otherwise. Sources of numbers: `paper` is the LCM paper (arXiv
 * 2605.04050), `claw` is lossless-claw 0.15.
 */
export const LCM_DEFAULTS = Object.freeze({
  /** Share of the usable window at which the engine compacts; without a model, later in small windows. */
  threshold: 0.5,
  /** Share of the usable window at which a model starts to write summaries in the background, between turns. */
  soft_threshold: 0.4,
  /** Maximum size of the tail (claw: 24,000). */
  fresh_tail_tokens: 24_000,
  /** Maximum size of the messages that one summary covers. A single larger message gets its own (claw: 20,000). */
  leaf_chunk_tokens: 20_000,
  /** A larger tool result is shown as its beginning, its end and its id (paper: 25,000). */
  large_result_tokens: 25_000,
})

/** The options of the engine. Every key is optional (`LCM_DEFAULTS`); an unknown key is an error. */
export const lcmOptionsSchema = lazily(() => {
  /** Share of the window, from 0 (never) to 1 (full). */
  const threshold = z.number().min(0).max(1).optional()
  const tokens = (least: number) => z.int().min(least).optional()
  return z
    .strictObject({
      threshold,
      soft_threshold: threshold,
      fresh_tail_tokens: tokens(1),
      leaf_chunk_tokens: tokens(500),
      large_result_tokens: tokens(200),
      /** The tools do not show messages that the program edited or removed. They stay stored. Default false. */
      hide_replaced: z.boolean().optional(),
    })
    .refine(({ threshold, soft_threshold }) => (soft_threshold ?? 0) <= (threshold ?? 1), {
      path: ['soft_threshold'],
      message: 'must not be above threshold',
    })
})

export type LcmOptions = z.input<ReturnType<typeof lcmOptionsSchema>>

export type LcmSettings = Readonly<Record<keyof typeof LCM_DEFAULTS, number>>

export function resolveSettings(options: LcmOptions): LcmSettings {
  const settings: Record<string, number> = { ...LCM_DEFAULTS }
  for (const key of Object.keys(LCM_DEFAULTS) as (keyof LcmSettings)[])
    settings[key] = options[key] ?? LCM_DEFAULTS[key]
  const { soft_threshold: soft, threshold, ...rest } = settings as LcmSettings
  return { ...rest, threshold, soft_threshold: Math.min(soft, threshold) }
}
