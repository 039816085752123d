import { countMessages } from '../budget/count-tokens.ts'
import { HYGIENE_SHARE } from '../budget/threshold.ts'
import { equalValues } from '../messages/json-value.ts'
import { contentParts } from '../messages/message-parts.ts'
import type { Message, TokenCounter, ToolSchema } from '../spec/v1/index.ts'
import type { PromptEstimate } from './session-types.ts'

interface SentPrompt {
  readonly projection: readonly Message[]
  readonly request: readonly Message[]
  readonly placedTokens: number
}

/** A count below this share of another is not of the same text: token counters differ by a factor of 3 at most. */
export const LEAST_SHARE = 0.25

/** Fields of a text-only message. Media, reasoning and provider data may cost less than the counter's estimate. */
const TEXT_FIELDS: ReadonlySet<string> = new Set(['role', 'content', 'tool_calls', 'tool_call_id', 'id'])

export type PromptBudget = ReturnType<typeof createPromptBudget>

export function createPromptBudget(tokens: TokenCounter) {
  let tools: readonly ToolSchema[] = []
  let toolTokens = 0
  let anchor: { readonly messages: readonly Message[]; readonly promptTokens: number } | undefined
  let last: SentPrompt | undefined

  const calibrated = (counted: number): number => tokens.calibration?.apply(counted) ?? counted
  const scaled = (messages: readonly Message[]): number => calibrated(countMessages(tokens, messages))
  const placed = (projection: readonly Message[], request: readonly Message[]): number =>
    request === projection ? 0 : Math.round(scaled(request) - scaled(projection))
  const isAnchored = (messages: readonly Message[]): boolean =>
    anchor !== undefined &&
    anchor.messages.length <= messages.length &&
    anchor.messages.every((message, index) => equalValues(message, messages[index]))

  /**
   * The prompt's size. While the anchor's messages are still the beginning, only appended messages are estimated.
   * Completion and reasoning tokens count once they are sent back as a message.
   */
  const estimate = (messages: readonly Message[]): PromptEstimate => {
    if (anchor === undefined || !isAnchored(messages)) {
      const counted = countMessages(tokens, messages) + toolTokens
      return { tokens: Math.round(calibrated(counted)), source: 'estimated' }
    }
    const appended = messages.slice(anchor.messages.length)
    if (appended.length === 0) return { tokens: anchor.promptTokens, source: 'reported' }
    return { tokens: anchor.promptTokens + Math.round(scaled(appended)), source: 'anchored' }
  }

  return {
    /** Tools cost tokens of every prompt. Other tools than before make the anchor invalid. */
    setTools(next: readonly ToolSchema[]): void {
      if (equalValues(next, tools)) return
      tools = next
      toolTokens = tokens.countTools(next)
      anchor = undefined
    },
    get toolTokens() {
      return toolTokens
    },
    estimate,
    measure(projection: readonly Message[]) {
      const { tokens: size } = estimate(projection)
      return {
        tokens: size,
        roomFor(limitTokens: number): number {
          // Far below the limit, the difference between counters does not matter.
          if (size < limitTokens * HYGIENE_SHARE) return Math.max(0, limitTokens - toolTokens)
          const counted = countMessages(tokens, projection)
          const factor = counted === 0 ? 1 : calibrated(counted) / counted
          return Math.max(0, Math.floor(counted + (limitTokens - size) / factor))
        },
        sizeOf: (request: readonly Message[]): number => Math.max(0, size + placed(projection, request)),
      }
    },
    sent(projection: readonly Message[], request: readonly Message[]): void {
      last = { projection, request, placedTokens: placed(projection, request) }
    },
    /**
     * Applies the provider's count of the last prompt. Returns false if the count cannot be complete (some servers omit
     * cached tokens); then the prompt is estimated.
     */
    reported(promptTokens: number): boolean {
      if (last === undefined || last.request.length === 0 || promptTokens <= 0) return true
      const { projection, request, placedTokens } = last
      const counted = countMessages(tokens, request)
      const isLess = (count: number) => promptTokens < count * LEAST_SHARE
      if (isLess(counted) && isLess(countMessages(tokens, request.filter(isText)))) {
        anchor = undefined
        return false
      }
      tokens.calibration?.observe(counted + toolTokens, promptTokens)
      anchor = { messages: projection, promptTokens: Math.max(0, promptTokens - placedTokens) }
      return true
    },
    forget(): void {
      anchor = undefined
      last = undefined
    },
  }
}

function isText(message: Message): boolean {
  return (
    Object.keys(message).every((key) => TEXT_FIELDS.has(key)) &&
    contentParts(message).every(({ type }) => type === 'text')
  )
}
