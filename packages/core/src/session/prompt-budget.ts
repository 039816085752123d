import { countMessages } from '../budget/count-messages.ts'
import { estimatePrompt, type PromptEstimate, type UsageAnchor } from '../budget/prompt-estimate.ts'
import { equalValues } from '../messages/equal-values.ts'
import type { Message } from '../spec/message.ts'
import type { TokenCounter } from '../spec/token-counter.ts'
import type { ToolSchema } from '../spec/tool-schema.ts'

/** What prompts of a session cost, and the anchor: the provider's last count and the messages it holds for. */
export interface PromptBudget {
  /** Tools cost tokens of every prompt. Other tools than before make the anchor invalid. */
  setTools(tools: readonly ToolSchema[]): void
  estimate(projection: readonly Message[]): PromptEstimate
  /** What is left of a window for messages, in tokens. */
  roomFor(contextLength: number, maxOutputTokens: number): number
  /** Remembers what was sent. Returns what the prompt will cost, in tokens, as far as is known. */
  sent(projection: readonly Message[], request: readonly Message[]): number
  /** The provider counted the prompt that was sent last. */
  reported(promptTokens: number): void
  /** The anchor holds no longer: another model, which counts in another way, or another conversation. */
  forget(): void
}

interface SentPrompt {
  readonly projection: readonly Message[]
  readonly request: readonly Message[]
  /** Tokens by which the request is larger than the projection: what was placed for this request only. */
  readonly placedTokens: number
}

export function createPromptBudget(tokens: TokenCounter): PromptBudget {
  let tools: readonly ToolSchema[] = []
  let toolTokens = 0
  let anchor: UsageAnchor | undefined
  let last: SentPrompt | undefined

  const estimate = (projection: readonly Message[]): PromptEstimate =>
    estimatePrompt({ messages: projection, tools, tokens, anchor })

  return {
    setTools(next) {
      if (equalValues(next, tools)) return
      tools = next
      toolTokens = tokens.countTools(next)
      anchor = undefined
    },
    estimate,
    roomFor: (contextLength, maxOutputTokens) => Math.max(0, contextLength - maxOutputTokens - toolTokens),
    sent(projection, request) {
      const placedTokens =
        request === projection ? 0 : countMessages(tokens, request) - countMessages(tokens, projection)
      last = { projection, request, placedTokens }
      return Math.max(0, estimate(projection).tokens + placedTokens)
    },
    reported(promptTokens) {
      if (last === undefined || last.request.length === 0 || promptTokens <= 0) return
      const { projection, request, placedTokens } = last
      tokens.calibration?.observe(countMessages(tokens, request) + toolTokens, promptTokens)
      anchor = { messages: projection, promptTokens: Math.max(0, promptTokens - placedTokens) }
    },
    forget() {
      anchor = undefined
      last = undefined
    },
  }
}
