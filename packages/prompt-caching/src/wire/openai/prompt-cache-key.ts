import { createHash } from 'node:crypto'
import type { OpenAIRequest } from './openai-wire.ts'

/**
 * The key under which OpenAI groups the requests of a session, so that they reach the machine that has their
 * beginning: 32 hexadecimal digits of a hash, the same for the same session. It does not tell the session's id.
 */
export function promptCacheKey(sessionId: string): string {
  return createHash('sha256').update(sessionId).digest('hex').slice(0, 32)
}

/** The request with the key of its session; a key of the caller's stays. Breakpoints do not touch it. */
export function withPromptCacheKey<Request extends Pick<OpenAIRequest, 'prompt_cache_key'>>(
  request: Request,
  sessionId: string,
): Request {
  if (typeof request.prompt_cache_key === 'string') return request
  return { ...request, prompt_cache_key: promptCacheKey(sessionId) }
}
