import type { Config } from '@palimpsest/core/config'
import { type Caching, cachingStatusLine, findCaching } from '@palimpsest/prompt-caching'

/** Whether prompts are cached. `name`: provider and model, as `gemini:<name>`; undefined without a model. */
export function answerCaching(
  name: string | undefined,
  { prompt_caching }: Pick<Config, 'prompt_caching'>,
): Caching | undefined {
  if (name === undefined) return undefined
  const [provider = '', ...model] = name.split(':')
  return findCaching({ model: model.join(':'), provider, setting: prompt_caching.cache_ttl })
}

/** What the service says about it when it starts. */
export function answerCachingLine(caching: Caching | undefined): string {
  if (caching === undefined) return 'Prompt caching: nothing to cache, no model answers'
  return cachingStatusLine(caching)
}
