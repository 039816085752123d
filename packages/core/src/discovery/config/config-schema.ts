import { z } from '../../options.ts'
import { DEFAULT_PRINCIPAL } from '../../session/list-sessions.ts'
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
   * Where the model is: see the list below. Default: `auto` if the block names a `model`, else `main`.
   */
  provider: unlessEmpty(z.enum(SUMMARY_PROVIDERS)),
  /**
   * The address of the service. It ends with the version of the API, such as `/v1`, except for `gemini`. Set alone, it
   * means `custom`. Default: the provider's.
   */
  base_url: unlessEmpty(z.url({ protocol: /^https?$/ })),
  /** The key, or better `${NAME}`, which reads it from an environment variable. Default: the provider's variable. */
  api_key: unlessEmpty(z.string()),
  /** The name of the environment variable with the key. Default: the provider's variable. */
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
       * The name of the engine. The default is that of `chat` and `replay`; `run`, `serve` and `demo` use `decisions`
       * over `lcm`. Default `compressor`.
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
       * `idle`: in the background, while the conversation goes on; a request waits only from 85 % of the window on.
       * `threshold`: the next request waits. `replay`, and `chat` with one question, always wait. Default `idle`.
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
      /** The time for which the provider keeps a marked prompt; `off` sets no marks. Default `5m`. */
      cache_ttl: z.enum(['5m', '1h', 'off']).default('5m'),
      /** Where the marks are set. Default `sticky`. */
      strategy: z.enum(['sticky', 'system_and_3']).default('sticky'),
      /** The service that forwards the requests, if its address does not show it. Default: not known. */
      route: z.enum(['openrouter', 'litellm']).optional(),
    })
    .prefault({}),
  store: z
    .strictObject(
      {
        /** A SQLite file, relative to the folder of `config.yaml`, or the address of a PostgreSQL database. Default: none. */
        url: z.string().min(1).optional(),
        /** The owner of the sessions: a user or a tenant. Default `local`. */
        principal: z.string().min(1).default(DEFAULT_PRINCIPAL),
        /** The database schema that has the tables. Default `palimpsest`. */
        schema: z.string().min(1).optional(),
        /** Maximum number of connections per process. Default 10. */
        pool_size: z.int().positive().optional(),
        /** The time limit of one statement, in milliseconds. Default 30,000. */
        statement_timeout: z.int().positive().max(MAX_STATEMENT_TIMEOUT).optional(),
        /** The database hides the rows of other owners. Default false. */
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
