import { type CompletionModel, type EngineDefinition, isEngineDefinition } from '@palimpsest/core'
import { lazily, z } from '@palimpsest/core/options'
import type { ExternalMemory } from '../memory-link.ts'

/** The defaults of the engine, in tokens unless a name says otherwise. `seed` marks numbers of the described system. */
export const DECISIONS_DEFAULTS: Readonly<
  Record<'budget_tokens' | 'recall_tokens' | 'batch_turns' | 'threshold', number>
> = Object.freeze({
  /** Room of the block of decisions (seed); never more than a fifth of the room for messages. */
  budget_tokens: 7_500,
  /** Room for decisions shown next to one query. */
  recall_tokens: 800,
  /** Turns that a model reads at once (seed). */
  batch_turns: 4,
  /**
   * Share of the usable window at which its own compaction is due, and in windows below 128,000 tokens 64,000 tokens or 75 %,
   * whichever is less; the profile `seed` has sizes instead.
   */
  threshold: 0.5,
})

/** The options of the engine. Every key is optional, `DECISIONS_DEFAULTS` says what without; an unknown key is an error. */
export const decisionsOptionsSchema = lazily(() => {
  const tokens = z.int().min(100).optional()
  return z.strictObject({
    /**
     * `default`: decisions over a stable prefix. `seed`: the described system, with its sizes and its placement: everything
     * rendered anew, the summary directly before the query. Default: `default`.
     */
    profile: z.enum(['default', 'seed']).optional(),
    /** Decisions hold for every session of this project. Default: for this session alone. */
    project: z.string().min(1).max(200).optional(),
    budget_tokens: tokens,
    recall_tokens: tokens,
    batch_turns: z.int().min(1).max(50).optional(),
    /**
     * Share of the usable window at which its own compaction is due: 1 when it is full, 0 never. Without it, windows below
     * 128,000 tokens compact at 64,000 tokens or 75 %, whichever is less.
     */
    threshold: z.number().min(0).max(1).optional(),
    /** The engine that compacts, with its options. Default: one summary of 800 to 1,200 tokens. */
    compaction: z
      .strictObject({
        engine: z.custom<EngineDefinition>(isEngineDefinition, 'must be what defineContextEngine() returned'),
        options: z.record(z.string(), z.unknown()).optional(),
      })
      .optional(),
    /** The model that reads turns. Default: the host's model; without either, nothing is read. */
    extraction_model: z
      .custom<CompletionModel>((value) => hasMethod(value, 'complete'), 'must be a CompletionModel')
      .optional(),
    /** A memory service that gets what is decided, and is asked what other sessions know. Default: none. */
    memory: z
      .custom<ExternalMemory>(
        (value) => hasMethod(value, 'search') && hasMethod(value, 'publish'),
        'must be an ExternalMemory',
      )
      .optional(),
  })
})

export type DecisionsOptions = z.input<ReturnType<typeof decisionsOptionsSchema>>

function hasMethod(value: unknown, name: string): boolean {
  return (
    typeof value === 'object' &&
    value !== null &&
    typeof (value as Record<string, unknown>)[name] === 'function'
  )
}
