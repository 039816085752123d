import { InvalidOptionError } from '@palimpsest/core'
import { parseOptions } from '@palimpsest/core/config'
import * as z from 'zod'
import type { Configuration } from '../engines/configuration.ts'
import { UsageError } from '../usage-error.ts'
import { SERVE_BLOCK } from './serve-defaults.ts'

/**
 * The models of the described system: a Flash model answers, extracts and compacts, a Flash-Lite model judges
 * duplicates.
 */
const FLASH = 'gemini-3-flash-preview'
const FLASH_LITE = 'gemini-3.1-flash-lite'

const model = (name: string) => z.string().min(1).default(name)

const serveOptionsSchema = z.strictObject({
  /** The file of the store, relative to the configuration's folder, unless `--store` names another. */
  store: z.string().min(1).optional(),
  /** Answers queries. */
  answer_model: model(FLASH),
  /** Reads turns for decisions. */
  extraction_model: model(FLASH),
  /** Judges what no rule can tell apart. */
  dedup_model: model(FLASH_LITE),
  /** Summarises. Default: `auxiliary.compression.model`, else a Flash model. */
  compaction_model: z.string().min(1).optional(),
  /** Where the models are, without the API version. Default: `auxiliary.compression.base_url`, else Google. */
  base_url: z.url().optional(),
  /** Where the gateway forwards to; none without it. */
  upstream: z
    .strictObject({
      /** Of any OpenAI-compatible service, with its version: https://api.openai.com/v1. */
      base_url: z.url({ protocol: /^https?$/ }).optional(),
      /** Windows of models by name, in tokens, for those that the service does not tell. */
      windows: z.record(z.string(), z.number().int().min(2_000)).default({}),
      /** A model of the service that writes summaries. Default: the service's own, which is Gemini or offline. */
      summary_model: z.string().min(1).optional(),
    })
    .default({ windows: {} }),
})

/**
 * Says what the block is made of when the configuration has something else there; throws any other error as it came.
 *
 * @throws UsageError
 */
export function explainServeBlock(error: unknown): never {
  const fault = error instanceof UsageError ? error.cause : error
  if (!(fault instanceof InvalidOptionError) || fault.path !== SERVE_BLOCK) throw error
  const keys = Object.keys(serveOptionsSchema.shape).join(', ')
  throw new UsageError(
    `${SERVE_BLOCK}: expected a block of options, such as "${SERVE_BLOCK}:" with "store: sessions.db" indented below it; keys: ${keys}`,
    { cause: error },
  )
}

/** What the service is told by its configuration. */
export interface ServeOptions {
  readonly answerModel: string
  readonly extractionModel: string
  readonly dedupModel: string
  readonly compactionModel: string
  readonly baseUrl: string | undefined
  /** Of the gateway. */
  readonly upstream: UpstreamOptions
}

export interface UpstreamOptions {
  /** Undefined: there is no gateway. */
  readonly baseUrl: string | undefined
  /** By model, in tokens. */
  readonly windows: Readonly<Record<string, number>>
  readonly summaryModel: string | undefined
}

/**
 * The block `serve:` with its defaults.
 *
 * @throws UsageError that names the key and the file.
 */
export function serveOptions({ config, path }: Pick<Configuration, 'config' | 'path'>): ServeOptions {
  const { compression } = config.auxiliary
  try {
    const options = parseOptions(serveOptionsSchema, config.engines[SERVE_BLOCK] ?? {}, SERVE_BLOCK)
    return {
      answerModel: options.answer_model,
      extractionModel: options.extraction_model,
      dedupModel: options.dedup_model,
      compactionModel: options.compaction_model ?? compression.model ?? FLASH,
      baseUrl: options.base_url ?? compression.base_url,
      upstream: {
        baseUrl: options.upstream.base_url,
        windows: options.upstream.windows,
        summaryModel: options.upstream.summary_model,
      },
    }
  } catch (cause) {
    if (!(cause instanceof InvalidOptionError)) throw cause
    throw new UsageError(`${cause.message} (in ${path})`, { cause })
  }
}
