import type { OpenAIRequest, PromptCacheOptions } from './openai-request.ts'

/** Options that were written for breakpoints, and what stood in their place. */
const replaced = new WeakMap<object, { readonly before: PromptCacheOptions | undefined }>()

/** The request with the mode that caches exactly what is marked; options of the caller's keep their other members. */
export function withExplicitMode(request: OpenAIRequest): OpenAIRequest {
  const before = request.prompt_cache_options
  if (before?.mode === 'explicit') return request
  const options = { ...before, mode: 'explicit' as const }
  replaced.set(options, { before })
  return { ...request, prompt_cache_options: options }
}

/** The request with the options that the caller gave it. They are known by identity: a clone keeps its mode. */
export function withCallersMode(request: OpenAIRequest): OpenAIRequest {
  const { prompt_cache_options: options, ...rest } = request
  const found = options && replaced.get(options)
  if (found === undefined) return request
  return found.before === undefined ? rest : { ...request, prompt_cache_options: found.before }
}
