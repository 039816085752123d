import { equalValues } from '../messages/equal-values.ts'
import type { Message } from '../spec/v1/message.ts'
import type { TokenCounter } from '../spec/v1/token-counter.ts'
import type { ToolSchema } from '../spec/v1/tool-schema.ts'
import { countMessages } from './count-messages.ts'

/** A provider's count of a prompt whose messages are known. It holds for the tools that went with that prompt. */
export interface UsageAnchor {
  readonly messages: readonly Message[]
  readonly promptTokens: number
}

export interface PromptEstimate {
  readonly tokens: number
  /** `reported`: the provider's own count; `anchored`: that plus an estimate of what was appended; else `estimated`. */
  readonly source: 'reported' | 'anchored' | 'estimated'
}

export interface PromptEstimateInput {
  readonly messages: readonly Message[]
  readonly tools: readonly ToolSchema[]
  /** Tokens of the tools, where they were counted before. Default: they are counted. */
  readonly toolTokens?: number
  readonly tokens: TokenCounter
  readonly anchor?: UsageAnchor | undefined
}

/**
 * The size of a prompt, in tokens. While the anchor's messages are still its beginning, only the appended ones are
 * estimated; otherwise all are. Completion and reasoning tokens count once they are sent again as a message.
 */
export function estimatePrompt(input: PromptEstimateInput): PromptEstimate {
  const { messages, tools, tokens, anchor, toolTokens = tokens.countTools(tools) } = input
  const calibrate = (counted: number) => Math.round(tokens.calibration?.apply(counted) ?? counted)
  if (anchor === undefined || !isPrefix(anchor.messages, messages)) {
    return {
      tokens: calibrate(countMessages(tokens, messages) + toolTokens),
      source: 'estimated',
    }
  }
  if (messages.length === anchor.messages.length) return { tokens: anchor.promptTokens, source: 'reported' }
  const appended = countMessages(tokens, messages.slice(anchor.messages.length))
  return { tokens: anchor.promptTokens + calibrate(appended), source: 'anchored' }
}

function isPrefix(prefix: readonly Message[], messages: readonly Message[]): boolean {
  return (
    prefix.length <= messages.length &&
    prefix.every((message, index) => equalValues(message, messages[index]))
  )
}
