import { markErrors, PalimpsestError } from '@palimpsest/core'
import type { AnthropicRequest } from './anthropic-request.ts'

/** A request without an answer. */
export type AnthropicPing<Request extends AnthropicRequest = AnthropicRequest> = Omit<
  Request,
  'max_tokens' | 'stream'
> & { readonly max_tokens: 0; readonly stream?: false }

/**
 * The same request without an answer: it reads and writes the cache, and refreshes what it reads. `max_tokens` is 0
 * and nothing is streamed; every other byte is the same, so that the next request finds what this one wrote.
 *
 * @throws PingImpossibleError for structured output, a forced choice of tool, thinking with a budget, and batches.
 */
export function renderPing<Request extends AnthropicRequest>(request: Request): AnthropicPing<Request> {
  const { output_config: output, tool_choice: choice, thinking } = request
  if ('requests' in request || 'custom_id' in request)
    throw new PingImpossibleError('batch', 'A batch cannot be a ping; pass one of its requests')
  if ((output?.format ?? null) !== null || ('output_format' in request && request.output_format))
    throw new PingImpossibleError('structured-output', 'A request for structured output cannot be a ping')
  if (choice?.type === 'any' || choice?.type === 'tool')
    throw new PingImpossibleError('forced-tool-choice', 'A request that forces a tool cannot be a ping')
  if (thinking?.type === 'enabled')
    throw new PingImpossibleError('enabled-thinking', 'A request with a budget for thinking cannot be a ping')
  const { stream: _, ...rest } = request
  return { ...rest, max_tokens: 0 } as unknown as AnthropicPing<Request>
}

/** A property that keeps a request from being sent without an answer. */
export type PingRule = 'structured-output' | 'forced-tool-choice' | 'enabled-thinking' | 'batch'

/** A prompt cannot be kept alive, because the API refuses such a request without output. Code `PING_IMPOSSIBLE`. */
export class PingImpossibleError extends PalimpsestError {
  static override readonly isInstance = markErrors<PingImpossibleError>(
    PingImpossibleError,
    'prompt-caching.ping-impossible',
  )

  readonly rule: PingRule

  constructor(rule: PingRule, message: string) {
    super('PING_IMPOSSIBLE', message)
    this.rule = rule
  }
}
