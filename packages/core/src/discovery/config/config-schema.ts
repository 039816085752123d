import { z } from '../../options.ts'
import type { Warning } from '../../spec/v1/index.ts'

/** The engine of an application that names none. */
export const DEFAULT_ENGINE = 'compressor'

/** Writers of summaries: a provider, or a rule that finds one. */
const SUMMARY_PROVIDERS = [
  'auto',
  'main',
  'openrouter',
  'nous',
  'openai',
  'custom',
  'gemini',
  'anthropic',
] as const

/** A summary that takes longer than a day, in seconds, is one that hangs. */
const MAX_TIMEOUT = 86_400

/** An empty text means "not set": files of the seed have every key, most of them empty. */
function unlessEmpty<Schema extends z.ZodType>(schema: Schema) {
  return z.preprocess((value) => (value === '' ? undefined : value), schema.optional())
}

const modelSchema = z.strictObject({
  /** The model. Default: for `main` and `auto` the one that answers, for a provider the one below. */
  model: unlessEmpty(z.string()),
  /**
   * Where the model is: `main` is the model that answers, `auto` that or else the first provider with a key,
   * `custom` the address of `base_url`. Default: `auto` if another key of the block is set, else `main`.
   */
  provider: unlessEmpty(z.enum(SUMMARY_PROVIDERS)),
  /** An OpenAI-compatible address with its version, for `gemini` without; alone it means `custom`. Default: the provider's. */
  base_url: unlessEmpty(z.url({ protocol: /^https?$/ })),
  /** The key, or better `${NAME}` to read it from a variable. Default: the provider's own variable. */
  api_key: unlessEmpty(z.string()),
  /** The variable of the environment that holds the key. Default: the provider's own. */
  key_env: unlessEmpty(z.string()),
  /** The time limit of one answer, in seconds. Default 120. */
  timeout: z.number().positive().max(MAX_TIMEOUT).optional(),
  /** The window of the model, in tokens. Default: its known window. */
  context_length: z.int().positive().optional(),
  /** Read and not sent: files of Hermes Agent have it. */
  extra_body: z.record(z.string(), z.unknown()).optional(),
})

/** The models that do not answer: one writes summaries, one reads decisions. Tasks that only Hermes Agent has are taken out before. */
const auxiliarySchema = z.strictObject({
  compression: modelSchema.prefault({}),
  extraction: modelSchema.prefault({}),
})

const count = z.int().nonnegative()

/** A statement that takes longer than a day, in milliseconds, is one that hangs. */
const MAX_STATEMENT_TIMEOUT = 86_400_000

/**
 * The shape of `config.yaml`. Every key is optional; an unknown key in one of these blocks is an error. A block named
 * after an engine holds that engine's own options, which the engine checks.
 */
export const configSchema = z.strictObject({
  context: z
    .strictObject({
      /** The name of the engine. Without it `serve` and `run` take `decisions` over `lcm`. Default `compressor`. */
      engine: z.string().min(1).default(DEFAULT_ENGINE),
      /** Makes an engine that cannot be loaded an error, instead of using the compressor with a warning. Default false. */
      strict: z.boolean().default(false),
    })
    .prefault({}),
  compression: z
    .strictObject({
      /** Turns compaction on, for every engine. Default true. */
      enabled: z.boolean().default(true),
      /** `idle`: a compaction runs beside the conversation, and a request waits for it only from 85 % of the window. `threshold`: the next request waits. `replay`, and one question to `chat`, always wait. Default `idle`. */
      compact_at: z.enum(['threshold', 'idle']).default('idle'),
      threshold: z.number().min(0).max(1).optional(),
      target_ratio: z.number().min(0.1).max(0.8).optional(),
      protect_last_n: z.int().positive().optional(),
      protect_first_n: count.optional(),
      summariser: z.enum(['native', 'model', 'none']).optional(),
      portable: z.boolean().optional(),
    })
    .prefault({}),
  auxiliary: auxiliarySchema.prefault({}),
  prompt_caching: z
    .strictObject({
      /** The lifetime of breakpoints. Default `5m`. */
      cache_ttl: z.enum(['5m', '1h', 'off']).default('5m'),
      /** The placement of breakpoints. Default `sticky`. */
      strategy: z.enum(['sticky', 'system_and_3']).default('sticky'),
      /** The service at an address that does not name it, such as a proxy on this machine. Default: not known. */
      route: z.enum(['openrouter', 'litellm']).optional(),
    })
    .prefault({}),
  store: z
    .strictObject(
      {
        /** The file of the store, relative to that of the configuration, or the address of a PostgreSQL database. Default: none. */
        url: z.string().min(1).optional(),
        /** The owner of the sessions: a user or a tenant. Default `local`. */
        principal: z.string().min(1).default('local'),
        /** The schema of the tables in a database. Default `palimpsest`. */
        schema: z.string().min(1).optional(),
        /** The most connections of a process. Default 10. */
        pool_size: z.int().positive().optional(),
        /** The time limit of one statement, in milliseconds. Default 30,000. */
        statement_timeout: z.int().positive().max(MAX_STATEMENT_TIMEOUT).optional(),
        /** Makes the server hide the rows of other principals. Default false. */
        row_security: z.boolean().optional(),
        /** Makes and updates the tables. Default true. */
        migrate: z.boolean().optional(),
      },
      // Most often the address itself was written here.
      {
        error: ({ code }) =>
          code === 'invalid_type' ? 'expected keys, such as "url: sessions.db"' : undefined,
      },
    )
    .prefault({}),
})

/** A configuration with its defaults filled in. */
export type Config = z.output<typeof configSchema> & {
  /** The options of each engine that has a block of its own, unchecked. */
  readonly engines: Readonly<Record<string, Record<string, unknown>>>
  /** Keys that have no effect, for the user. */
  readonly warnings: readonly Warning[]
}
