import type { OpenAIRequest, PromptCacheOptions } from './openai-request.ts'

/** Options that were written for breakpoints, and what stood in their place. */
const replaced = new WeakMap<object, { readonly before: PromptCacheOptions | undefined }>()

/** The request with the mode that caches exactly what is marked; options of the caller's keep their other members. */
export function withExplicitMode(request: OpenAIRequest): OpenAIRequest {
  const before = request.prompt_cache_options
  const options = { ...before, mode: 'explicit' as const }
  replaced.set(options, { before })
  return { ...request, prompt_cache_options: options }
}

/**
 * The request with the options that the caller gave it. They are known by identity: of a copy whose breakpoints were
 * taken out only the bare mode goes, because without breakpoints it means that nothing at all is cached.
 */
export function withCallersMode(request: OpenAIRequest, wasMarked: boolean): OpenAIRequest {
  const { prompt_cache_options: options, ...rest } = request
  const found = options && replaced.get(options)
  if (found !== undefined)
    return found.before === undefined ? rest : { ...request, prompt_cache_options: found.before }
  return wasMarked && options?.mode === 'explicit' && Object.keys(options).length === 1 ? rest : request
}
