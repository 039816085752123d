import { checkMessage } from '../invariants/check-sequence.ts'
import { isDeepFrozen, jsonText, looseOf } from '../messages/json-value.ts'
import { contentParts, toolCallInput, toolCallName, toolCallsOf } from '../messages/message-parts.ts'
import { createPause } from '../session/scheduling.ts'
import type { Message, TokenCounter } from '../spec/v1/index.ts'
import { audioTokens, fileTokens, IMAGE_TOKENS } from './media-tokens.ts'

/** Characters per token in most scripts, a rule of thumb. */
const CHARACTERS_PER_TOKEN = 4
/** Tokens of a message beyond its text: role and separators. */
export const MESSAGE_OVERHEAD_TOKENS = 4
/** Tokens of one tool call beyond its name and arguments. */
const CALL_OVERHEAD_TOKENS = 8

const memo = new WeakMap<Message, number>()

/**
 * Estimates tokens without a tokenizer: four characters per token, and one character per token for CJK. A deeply frozen
 * message is counted once.
 */
export const roughTokenCounter: TokenCounter = {
  countText: roughTextTokens,
  countMessage(message) {
    const known = memo.get(message)
    if (known !== undefined) return known
    const count = messageTokens(message, roughTextTokens)
    if (isDeepFrozen(message)) memo.set(message, count)
    return count
  },
  countTools: (tools) => toolTokens(tools, roughTextTokens),
}

const WIDE = /[\u2e80-\uffff]/

function roughTextTokens(text: string): number {
  if (!WIDE.test(text)) return Math.ceil(text.length / CHARACTERS_PER_TOKEN)
  let wide = 0
  for (let index = 0; index < text.length; index++) if (text.charCodeAt(index) >= 0x2e80) wide++
  return wide + Math.ceil((text.length - wide) / CHARACTERS_PER_TOKEN)
}

/** Counts the tokens of tool schemas from their JSON text, which is close to what providers send to the model. */
export function toolTokens(
  tools: Parameters<TokenCounter['countTools']>[0],
  countText: (text: string) => number,
): number {
  return tools.length === 0 ? 0 : countText(jsonText(tools))
}

/**
 * Counts the tokens of a message with its envelope, given a function that counts text. The count includes parts, calls,
 * reasoning and opaque fields on the wire, images at a flat rate, audio and video by length, and documents by page.
 */
export function messageTokens(message: Message, countText: (text: string) => number): number {
  let sum = MESSAGE_OVERHEAD_TOKENS
  for (const part of contentParts(message)) sum += partTokens(part, countText)
  for (const call of toolCallsOf(message)) {
    sum += CALL_OVERHEAD_TOKENS + countText(toolCallName(call)) + countText(toolCallInput(call))
  }
  if (message.role === 'tool') sum += CALL_OVERHEAD_TOKENS
  for (const [key, value] of Object.entries(message)) {
    if (COUNTED_ABOVE.has(key) || value === undefined || value === null) continue
    sum += countText(jsonText(value))
  }
  return sum
}

const COUNTED_ABOVE: ReadonlySet<string> = new Set(['role', 'content', 'tool_calls', 'tool_call_id', 'id'])

function partTokens(part: object, countText: (text: string) => number): number {
  const { type, text, refusal, input_audio: audio, video_url: video, file } = part as Record<string, unknown>
  if (typeof text === 'string') return countText(text)
  if (typeof refusal === 'string') return countText(refusal)
  if (type === 'image_url') return IMAGE_TOKENS
  if (type === 'input_audio') return audioTokens(looseOf(audio).data, String(looseOf(audio).format))
  if (type === 'video_url') return fileTokens(looseOf(video).url, 'video/mp4')
  if (type === 'file') return fileTokens(looseOf(file).file_data)
  return countText(jsonText(part))
}

export function countMessages(tokens: TokenCounter, messages: readonly Message[]): number {
  return messages.reduce((sum, message) => sum + tokens.countMessage(message), 0)
}

/**
 * Counts new messages ahead of time, with pauses, because a tokenizer takes seconds per million tokens. Only the newest
 * messages, up to one window, are counted exactly. Older ones get an estimate at the same characters per token.
 */
export async function countHistory(
  tokens: TokenCounter,
  messages: readonly Message[],
  contextLength: number,
): Promise<void> {
  const pause = createPause()
  const enough = tokens.remember === undefined ? Number.POSITIVE_INFINITY : contextLength
  let [counted, rough] = [0, 0]
  let index = messages.length - 1
  for (; index >= 0 && counted <= enough; index--) {
    const message = messages[index] as Message
    if (checkMessage(message).length > 0) continue
    counted += tokens.countMessage(message)
    rough += roughTokens(message)
    await pause()
  }
  for (; index >= 0; index--) {
    const message = messages[index] as Message
    tokens.remember?.(message, Math.ceil((roughTokens(message) * counted) / rough))
    await pause()
  }
}

function roughTokens(message: Message): number {
  return messageTokens(message, roughTokenCounter.countText)
}
