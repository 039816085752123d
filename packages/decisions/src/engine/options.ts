import { type CompletionModel, type EngineDefinition, isEngineDefinition, looseOf } from '@palimpsest/core'
import { lazily, z } from '@palimpsest/core/options'

/**
 * The engine's defaults, in tokens unless a name says otherwise. `seed` marks numbers of the system as first described.
 */
export const DECISIONS_DEFAULTS: Readonly<
  Record<'budget_tokens' | 'recall_tokens' | 'batch_turns' | 'threshold', number>
> = Object.freeze({
  /** Maximum size of the list of decisions in the prompt (seed), and at most a fifth of the room for messages. */
  budget_tokens: 7_500,
  /** Maximum size of the decisions that are added directly before one message of the user. */
  recall_tokens: 800,
  /** Number of turns, messages of the user with the answers, that a model reads at once (seed). */
  batch_turns: 4,
  /**
   * Share of the usable window at which the engine's own compaction is due; in windows below 128,000 tokens 64,000
   * tokens or 75 %, whichever is less. The profile `seed` uses sizes instead.
   */
  threshold: 0.5,
})

/** The engine's options. Every key is optional (`DECISIONS_DEFAULTS`); an unknown key is an error. */
export const decisionsOptionsSchema = lazily(() => {
  const tokens = z.int().min(100).optional()
  return z.strictObject({
    /**
     * `default`: the list of decisions changes seldom, so that the provider's cache holds. `seed`: the engine's original
     * form, which writes the list anew for each request. Default: `default`.
     */
    profile: z.enum(['default', 'seed']).optional(),
    /** Decisions are valid in all sessions of this project. Default: this session alone. */
    project: z.string().min(1).max(200).optional(),
    budget_tokens: tokens,
    recall_tokens: tokens,
    batch_turns: z.int().min(1).max(50).optional(),
    /** Share of the usable window at which the compaction `own` runs, later in small windows. */
    threshold: z.number().min(0).max(1).optional(),
    /** The engine that compacts, with its options. Default: one summary of 800 to 1,200 tokens. */
    compaction: z
      .strictObject({
        engine: z.custom<EngineDefinition>(isEngineDefinition, 'must be what defineContextEngine() returned'),
        options: z.record(z.string(), z.unknown()).optional(),
      })
      .optional(),
    /** The model that reads turns. Default: the host's model; without either, no turns are read. */
    extraction_model: z
      .custom<CompletionModel>(
        (value) => typeof looseOf(value).complete === 'function',
        'must be a CompletionModel',
      )
      .optional(),
  })
})

export type DecisionsOptions = z.input<ReturnType<typeof decisionsOptionsSchema>>
