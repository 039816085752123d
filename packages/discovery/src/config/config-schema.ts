import type { Warning } from '@palimpsest/core'
import * as z from 'zod'
import { auxiliarySchema } from './auxiliary-schema.ts'
import { DEFAULT_ENGINE } from './default-engine.ts'

const count = z.int().nonnegative()

/** What the address of a PostgreSQL database begins with. */
const DATABASE_URL = /^postgres(ql)?:\/\/./

/** A statement that takes longer than a day, in milliseconds, is one that hangs. */
const MAX_STATEMENT_TIMEOUT = 86_400_000

/**
 * The shape of `config.yaml`. Every key is optional; an unknown key in one of these blocks is an error. A block named
 * after an engine holds that engine's own options, which the engine checks.
 */
export const configSchema = z.strictObject({
  context: z
    .strictObject({
      /** Name of the engine. Default `compressor`. */
      engine: z.string().min(1).default(DEFAULT_ENGINE),
      /** Fail instead of falling back to the compressor when the engine cannot be loaded. Default false. */
      strict: z.boolean().default(false),
    })
    .prefault({}),
  compression: z
    .strictObject({
      /** Whether anything is compacted at all. Default true. */
      enabled: z.boolean().default(true),
      profile: z.enum(['lean', 'classic']).optional(),
      threshold: z.number().min(0).max(1).optional(),
      target_ratio: z.number().min(0.1).max(0.8).optional(),
      protect_last_n: z.int().positive().optional(),
      protect_first_n: count.optional(),
    })
    .prefault({}),
  auxiliary: auxiliarySchema.prefault({}),
  prompt_caching: z
    .strictObject({
      /** How long breakpoints live. Default `5m`. */
      cache_ttl: z.enum(['5m', '1h', 'auto', 'off']).default('5m'),
      /** Where breakpoints stand. Default `sticky`. */
      strategy: z.enum(['sticky', 'system_and_3']).default('sticky'),
      /** What runs at an address that does not say so itself, such as a proxy on this machine. Default: not known. */
      route: z.enum(['openrouter', 'litellm']).optional(),
      /** Whether a compaction waits for a pause when that costs less. Default `threshold`: it does not. */
      compact_at: z.enum(['threshold', 'cheapest']).default('threshold'),
    })
    .prefault({}),
  store: z
    .strictObject(
      {
        /** A PostgreSQL database in which everything is kept that is not told another place. Default: none. */
        url: z
          .string()
          .regex(DATABASE_URL, 'expected an address such as postgres://user@host:5432/database')
          .optional(),
        /** The schema of its tables. Default `palimpsest`. */
        schema: z.string().min(1).optional(),
        /** Connections of a process at most. Default 10. */
        pool_size: z.int().positive().optional(),
        /** How long one statement may take, in milliseconds. Default 30,000. */
        statement_timeout: z.int().positive().max(MAX_STATEMENT_TIMEOUT).optional(),
        /** Whether the server keeps the rows of other principals back. Default false. */
        row_security: z.boolean().optional(),
        /** Whether tables are made and brought up to date. Default true. */
        migrate: z.boolean().optional(),
      },
      // Most often somebody has written the address itself here.
      {
        error: ({ code }) =>
          code === 'invalid_type' ? 'expected keys, such as "url: postgres://…"' : undefined,
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
