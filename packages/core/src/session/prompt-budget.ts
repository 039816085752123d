import { countMessages } from '../budget/count-messages.ts'
import { HYGIENE_SHARE } from '../budget/hygiene.ts'
import { estimatePrompt, type PromptEstimate, type UsageAnchor } from '../budget/prompt-estimate.ts'
import { equalValues } from '../messages/equal-values.ts'
import { contentParts } from '../messages/message-text.ts'
import type { Message } from '../spec/v1/message.ts'
import type { TokenCounter } from '../spec/v1/token-counter.ts'
import type { ToolSchema } from '../spec/v1/tool-schema.ts'

/** The size of a session's prompts, and the anchor: the provider's last count and the messages it holds for. */
export interface PromptBudget {
  /** Tools cost tokens of every prompt. Other tools than before make the anchor invalid. */
  setTools(tools: readonly ToolSchema[]): void
  estimate(projection: readonly Message[]): PromptEstimate
  measure(projection: readonly Message[]): MeasuredPrompt
  readonly toolTokens: number
  /** Remembers what was sent. */
  sent(projection: readonly Message[], request: readonly Message[]): void
  /**
   * The provider counted the prompt that was sent last. False when it cannot have counted all of it: some servers leave
   * out what they had cached, or read only a part. Then all is counted here.
   */
  reported(promptTokens: number): boolean
  /** The anchor holds no longer: another model, which counts in another way, or another conversation. */
  forget(): void
}

/** A projection that was estimated once. */
export interface MeasuredPrompt {
  readonly tokens: number
  /** Room for its messages if the prompt is to fit into `limitTokens`, in tokens of the counter. */
  roomFor(limitTokens: number): number
  /** The size of a request that was made of it, in tokens, as far as is known. */
  sizeOf(request: readonly Message[]): number
}

interface SentPrompt {
  readonly projection: readonly Message[]
  readonly request: readonly Message[]
  /** Tokens by which the request is larger than the projection: placed for this request only. Below 0 after a cut. */
  readonly placedTokens: number
}

/** A count below this share of another is not of the same text: counters differ by a factor of 3 at most. */
export const LEAST_SHARE = 0.25

/** The fields of a message that is all text. Media, reasoning and data of a provider may cost less than a counter says. */
const TEXT_FIELDS: ReadonlySet<string> = new Set(['role', 'content', 'tool_calls', 'tool_call_id', 'id'])

export function createPromptBudget(tokens: TokenCounter): PromptBudget {
  let tools: readonly ToolSchema[] = []
  let toolTokens = 0
  let anchor: UsageAnchor | undefined
  let last: SentPrompt | undefined

  const estimate = (projection: readonly Message[]): PromptEstimate =>
    estimatePrompt({ messages: projection, tools, toolTokens, tokens, anchor })
  /** Tokens of messages as the provider counts them. */
  const scaled = (messages: readonly Message[]): number => {
    const counted = countMessages(tokens, messages)
    return tokens.calibration?.apply(counted) ?? counted
  }
  const placed = (projection: readonly Message[], request: readonly Message[]): number =>
    request === projection ? 0 : Math.round(scaled(request) - scaled(projection))

  return {
    setTools(next) {
      if (equalValues(next, tools)) return
      tools = next
      toolTokens = tokens.countTools(next)
      anchor = undefined
    },
    estimate,
    get toolTokens() {
      return toolTokens
    },
    measure(projection) {
      const { tokens: size } = estimate(projection)
      return {
        tokens: size,
        roomFor(limitTokens) {
          // With so much left, the difference between two ways of counting decides nothing.
          if (size < limitTokens * HYGIENE_SHARE) return Math.max(0, limitTokens - toolTokens)
          const counted = countMessages(tokens, projection)
          const factor = counted === 0 ? 1 : scaled(projection) / counted
          return Math.max(0, Math.floor(counted + (limitTokens - size) / factor))
        },
        sizeOf: (request) => Math.max(0, size + placed(projection, request)),
      }
    },
    sent(projection, request) {
      last = { projection, request, placedTokens: placed(projection, request) }
    },
    reported(promptTokens) {
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
    forget() {
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
