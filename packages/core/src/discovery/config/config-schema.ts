import { z } from '../../options.ts'
import type { Warning } from '../../spec/v1/index.ts'

/** The default engine of a configuration. */
export const DEFAULT_ENGINE = 'compressor'

export const SUMMARY_PROVIDERS = [
  'auto',
  'main',
  'openrouter',
  'nous',
  'openai',
  'custom',
  'gemini',
  'anthropic',
] as const

const MAX_TIMEOUT = 86_400

/** An empty text means "not set": Hermes Agent's files have every key, most of them empty. */
function unlessEmpty<Schema extends z.ZodType>(schema: Schema) {
  return z.preprocess((value) => (value === '' ? undefined : value), schema.optional())
}

const modelSchema = z.strictObject({
  /** The model. Default: the answering model for `main` and `auto`; the provider's default for a provider. */
  model: unlessEmpty(z.string()),
  /**
   * `main`: the model that answers. `auto`: that one, or if none answers, the first provider below whose key is set.
   * `custom`: the service at `base_url`. Otherwise a provider. Default: `auto` if the block has another key, else `main`.
   */
  provider: unlessEmpty(z.enum(SUMMARY_PROVIDERS)),
  /**
   * An OpenAI-compatible address that ends with its version, or one without a version for `gemini`. Set alone, it means
   * `custom`. Default: the provider's.
   */
  base_url: unlessEmpty(z.url({ protocol: /^https?$/ })),
  /** The key, or `${NAME}` to read it from a variable (recommended). Default: the provider's own variable. */
  api_key: unlessEmpty(z.string()),
  /** The environment variable that holds the key. Default: the provider's own. */
  key_env: unlessEmpty(z.string()),
  /** The time limit of one answer, in seconds. Default 120. */
  timeout: z.number().positive().max(MAX_TIMEOUT).optional(),
  /** The window of the model, in tokens. Default: its known window. */
  context_length: z.int().positive().optional(),
  /** Accepted for Hermes Agent's files, and ignored. */
  extra_body: z.record(z.string(), z.unknown()).optional(),
})

const auxiliarySchema = z.strictObject({
  compression: modelSchema.prefault({}),
  extraction: modelSchema.prefault({}),
})

const count = z.int().nonnegative()

const SHARE = 'expected a share from 0 to 1: 0.5 is 50 %'

const MAX_STATEMENT_TIMEOUT = 86_400_000

/**
 * The schema of `config.yaml`. Every key is optional, and an unknown key in one of these blocks is an error. A block
 * named after an engine holds that engine's own options, which the engine checks.
 */
export const configSchema = z.strictObject({
  context: z
    .strictObject({
      /**
       * The name of the engine. `serve` and `run` use `decisions` over `lcm` if it is not set. Default `compressor`.
       */
      engine: z.string().min(1).default(DEFAULT_ENGINE),
      /** Fails if the engine cannot be loaded, instead of using the compressor with a warning. Default false. */
      strict: z.boolean().default(false),
    })
    .prefault({}),
  compression: z
    .strictObject({
      /** Enables compaction, for every engine. Default true. */
      enabled: z.boolean().default(true),
      /**
       * `idle`: a compaction runs beside the conversation, and a request waits for it only from 85 % of the window.
       * `threshold`: the next request waits. `replay`, and one question to `chat`, always wait. Default `idle`.
       */
      compact_at: z.enum(['threshold', 'idle']).default('idle'),
      threshold: z.number().min(0, SHARE).max(1, SHARE).optional(),
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
      /** The service at an address that does not name it, such as a local proxy. Default: not known. */
      route: z.enum(['openrouter', 'litellm']).optional(),
    })
    .prefault({}),
  store: z
    .strictObject(
      {
        /** The store's file, relative to the configuration, or the address of a PostgreSQL database. Default: none. */
        url: z.string().min(1).optional(),
        /** The owner of the sessions: a user or a tenant. Default `local`. */
        principal: z.string().min(1).default('local'),
        /** The schema of the tables in a database. Default `palimpsest`. */
        schema: z.string().min(1).optional(),
        /** Maximum number of connections per process. Default 10. */
        pool_size: z.int().positive().optional(),
        /** The time limit of one statement, in milliseconds. Default 30,000. */
        statement_timeout: z.int().positive().max(MAX_STATEMENT_TIMEOUT).optional(),
        /** Makes the database server hide other principals' rows. Default false. */
        row_security: z.boolean().optional(),
        /** Creates and updates the tables. Default true. */
        migrate: z.boolean().optional(),
      },
      // The usual mistake is to write the address itself here.
      {
        error: ({ code }) =>
          code === 'invalid_type' ? 'expected keys, such as "url: sessions.db"' : undefined,
      },
    )
    .prefault({}),
})

/** A configuration with defaults filled in. */
export type Config = z.output<typeof configSchema> & {
  /** The unchecked options of each engine that has a block. */
  readonly engines: Readonly<Record<string, Record<string, unknown>>>
  readonly warnings: readonly Warning[]
}
