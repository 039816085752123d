import * as z from 'zod'

/** Whoever can write summaries: a provider, or a rule that finds one. */
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

const compressionSchema = z.strictObject({
  /** Name of the model that summarises. Default: that of the model that answers, else a cheap one of the provider. */
  model: unlessEmpty(z.string()),
  /**
   * `main` is the model that answers, `auto` that or else the first provider with a key, `custom` the address of
   * `base_url`. Default: `auto` where something else of the block is set, else `main`.
   */
  provider: unlessEmpty(z.enum(SUMMARY_PROVIDERS)),
  base_url: unlessEmpty(z.url({ protocol: /^https?$/ })),
  /** The key, or `${NAME}` for that of a variable. Default: the provider's own variable. */
  api_key: unlessEmpty(z.string()),
  /** The variable that holds the key. */
  key_env: unlessEmpty(z.string()),
  /** How long one summary may take, in seconds. Default 120, as in the seed. */
  timeout: z.number().positive().max(MAX_TIMEOUT).optional(),
  /** The window of the model that summarises, in tokens. Default: what is known of it. */
  context_length: z.int().positive().optional(),
  /** Part of the seed's files; it is read and not sent. */
  extra_body: z.record(z.string(), z.unknown()).optional(),
})

/** The models that do not answer. Tasks that only Hermes Agent has are taken out before. */
export const auxiliarySchema = z.strictObject({ compression: compressionSchema.prefault({}) })
