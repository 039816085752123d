import type { AIMessage, UsageMetadata } from '@langchain/core/messages'
import type { Usage } from '@palimpsest/core'

/** LangChain includes cached tokens in `input_tokens`. Undefined if nothing was counted. */
export function toUsage(message: AIMessage): Usage | undefined {
  // LangChain's type of this member is `never` by mistake.
  const usage = message.usage_metadata as UsageMetadata | undefined
  if (usage === undefined || !(usage.input_tokens > 0)) return undefined
  const { cache_read: cacheReadTokens, cache_creation: cacheWriteTokens } = usage.input_token_details ?? {}
  return {
    promptTokens: usage.input_tokens,
    completionTokens: usage.output_tokens,
    totalTokens: usage.total_tokens,
    ...(cacheReadTokens !== undefined && { cacheReadTokens }),
    ...(cacheWriteTokens !== undefined && { cacheWriteTokens }),
  }
}
