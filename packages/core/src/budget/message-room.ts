import type { Message } from '../spec/v1/message.ts'
import type { TokenCounter } from '../spec/v1/token-counter.ts'
import { countMessages } from './count-messages.ts'

/** However large a host's own part of the prompt is, messages are not squeezed below this share of the threshold. */
const LEAST_ROOM_SHARE = 0.1

export interface MessageRoomInput {
  /** Prompt size from which the engine compacts, in the provider's tokens. */
  readonly thresholdTokens: number
  readonly messages: readonly Message[]
  readonly tokens: TokenCounter
  /** The host's number for the prompt, everything beyond `messages` included. Default: their own count. */
  readonly currentTokens?: number | undefined
  /** An upper bound for the messages, in tokens of `tokens`. Default: none. */
  readonly targetTokens?: number | undefined
}

/**
 * Room for the messages of a prompt, in tokens of the counter. The threshold counts the whole prompt in the
 * provider's tokens, the counter the messages alone: the provider's tokenizer enters as a factor, and the rest of the
 * host's number as a fixed part.
 */
export function messageRoom(input: MessageRoomInput): number {
  const { thresholdTokens, messages, tokens, currentTokens, targetTokens } = input
  const counted = Math.max(1, countMessages(tokens, messages))
  const scaled = Math.max(1, tokens.calibration?.apply(counted) ?? counted)
  const fixed = Math.max(0, (currentTokens ?? scaled) - scaled)
  const reduced = ((thresholdTokens - fixed) * counted) / Math.max(counted, scaled)
  const room = Math.max(thresholdTokens * LEAST_ROOM_SHARE, reduced)
  return Math.floor(Math.min(room, targetTokens ?? room))
}
