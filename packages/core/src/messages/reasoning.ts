import type { Message } from '../spec/v1/index.ts'
import { isObject } from './json-value.ts'

const REASONING_FIELDS: ReadonlySet<string> = new Set([
  'reasoning',
  'reasoning_content',
  'reasoning_details',
  'thinking',
])
const REASONING_PARTS: ReadonlySet<unknown> = new Set(['reasoning', 'thinking', 'redacted_thinking'])

/** True for a message with reasoning in a known field, a part, or `providerData.<provider>.reasoning`. */
export function hasReasoning(message: Message): boolean {
  return stripReasoning(message) !== message
}

/**
 * The message without its reasoning, or the same object if it has none. Data on a tool call, such as a thought
 * signature, stays with its call.
 */
export function stripReasoning<M extends Message>(message: M): M {
  if (message.role !== 'assistant') return message
  let copy: Record<string, unknown> | undefined
  for (const [key, value] of Object.entries(message)) {
    if (REASONING_FIELDS.has(key)) {
      copy ??= { ...message }
      delete copy[key]
    } else if (key === 'content' && Array.isArray(value) && value.some(isReasoningPart)) {
      copy ??= { ...message }
      const kept = value.filter((part) => !isReasoningPart(part))
      // Providers refuse an empty list, but accept calls without content.
      copy[key] = kept.length === 0 ? null : kept
    } else if (key === 'providerData' && typeof value === 'object' && value !== null) {
      const data = stripProviderData(value as Record<string, unknown>)
      if (data === value) continue
      copy ??= { ...message }
      copy[key] = data
    }
  }
  return (copy ?? message) as M
}

function isReasoningPart(part: unknown): boolean {
  return typeof part === 'object' && part !== null && REASONING_PARTS.has((part as { type?: unknown }).type)
}

function stripProviderData(data: Record<string, unknown>): Record<string, unknown> {
  let copy: Record<string, unknown> | undefined
  for (const [provider, value] of Object.entries(data)) {
    if (typeof value !== 'object' || value === null || !('reasoning' in value)) continue
    const { reasoning: _, ...rest } = value
    copy ??= { ...data }
    copy[provider] = rest
  }
  return copy ?? data
}

/**
 * How a provider treats a model's own reasoning after an earlier message has changed:
 * - `kept`: it accepts the reasoning, and many providers require it for calls.
 * - `bound`: it refuses the reasoning, so messages after an edit are sent without it.
 */
export type ReasoningRule = 'kept' | 'bound'

/**
 * Models that bind reasoning to the whole prefix: Claude 5 and later (Anthropic's documentation of preserved thinking,
 * 2026-11). Claude 4, DeepSeek, Kimi, GLM, Qwen, MiniMax, Gemini and OpenAI's models do not.
 */
const BOUND = /claude-(?:[a-z]+-(?:[5-9]|\d\d)(?!\d)|fable|mythos)/i

/** The rule of a model by its name; `kept` for unknown models. */
export function reasoningRule(model: string | undefined): ReasoningRule {
  return model !== undefined && BOUND.test(model) ? 'bound' : 'kept'
}

const MISSED =
  /reasoning_content.{0,60}(?:missing|required|passed back|must be)|missing.{0,40}reasoning|expected .{0,5}thinking|must start with a thinking block|without its required .{0,5}reasoning/i
const REFUSED =
  /(?:thinking|reasoning|signature).{0,80}(?:invalid|cannot be modified|mismatch|not match|not supported|not allowed)|invalid.{0,60}(?:thinking|reasoning|signature)/i
const NAMED = /\b(?:thinking|reasoning)\b|signature/i

/**
 * The rule that a provider's error asks for, if the provider refused a request because of its reasoning. Undefined for
 * every other error.
 */
export function reasoningRefusal(error: unknown): ReasoningRule | undefined {
  for (const { message, isBad } of refusals(error)) {
    if (MISSED.test(message)) return 'kept'
    if ((isBad ? NAMED : REFUSED).test(message)) return 'bound'
  }
  return undefined
}

const COMPACTION = /compaction|encrypted[_ ]content/i

/** True if a provider refused a compaction, for example one of another model, account or key. */
export function isCompactionRefusal(error: unknown): boolean {
  return [...refusals(error)].some(({ message }) => COMPACTION.test(message))
}

function* refusals(error: unknown): Generator<{ readonly message: string; readonly isBad: boolean }> {
  let cause = error
  for (let depth = 0; depth < 5 && isObject(cause); depth++) {
    const { message, statusCode, status = statusCode } = cause
    const isBad = status === 400 || status === 422
    if (typeof message === 'string' && (isBad || typeof status !== 'number')) yield { message, isBad }
    cause = cause.cause ?? cause.error
  }
}
