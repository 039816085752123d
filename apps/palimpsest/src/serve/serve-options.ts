import { InvalidOptionError } from '@palimpsest/core'
import { parseOptions, z } from '@palimpsest/core/options'
import type { Configuration } from '../engines/configuration.ts'
import { UsageError } from '../usage-error.ts'
import { SERVE_BLOCK } from './serve-defaults.ts'

const name = z.string().min(1).optional()
const url = z.url({ protocol: /^https?$/ }).optional()

export const serveOptionsSchema = z.strictObject({
  /** The answering model, as for `chat --model`. Default: the environment's model. */
  answer_model: name,
  /** The address of these models. Default: their providers' own. */
  base_url: url,
  /** The service to which the gateway forwards; without it there is no gateway. */
  upstream: z
    .strictObject({
      /**
       * The address of the service to which the gateway forwards, such as `https://api.openai.com/v1`. Default: none, and
       * no gateway.
       */
      base_url: url,
      /** The windows of models, by name, if the service does not report them: in tokens, 2,000 or more. */
      windows: z.record(z.string(), z.number().int().min(2_000)).default({}),
      /** Addresses of formats that the service itself does not support. */
      formats: z
        .strictObject({
          /** The address of chat completions. Default: the upstream. */
          'openai-chat': url,
          /** The address of OpenAI's Responses API. Default: the upstream. */
          'openai-responses': url,
          /** The address of Anthropic's Messages API. Default: the upstream. */
          'anthropic-messages': url,
        })
        .default({}),
    })
    .default({ windows: {}, formats: {} }),
})

export type ServeOptions = z.output<typeof serveOptionsSchema>

export function serveOptions({ config, fileOf }: Pick<Configuration, 'config' | 'fileOf'>): ServeOptions {
  try {
    return parseOptions(serveOptionsSchema, config.engines[SERVE_BLOCK] ?? {}, SERVE_BLOCK)
  } catch (cause) {
    if (!(cause instanceof InvalidOptionError)) throw cause
    throw new UsageError(`${cause.message} (in ${fileOf(...cause.path.split('.'))})`, { cause })
  }
}
