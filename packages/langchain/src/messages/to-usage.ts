import type { AIMessage, UsageMetadata } from '@langchain/core/messages'
import type { Usage } from '@palimpsest/core'

/** The usage of an answer. LangChain counts cached tokens into `input_tokens`. Undefined when nothing was counted. */
export function toUsage(message: AIMessage): Usage | undefined {
  // The type of the member is never, by a fault of LangChain's.
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
