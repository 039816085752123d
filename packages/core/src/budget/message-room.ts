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
  /** What the host says the prompt costs; includes what is not in `messages`. Default: their own count. */
  readonly currentTokens?: number | undefined
  /** An upper bound for the messages, in tokens of `tokens`. Default: none. */
  readonly targetTokens?: number | undefined
}

/**
 * What the messages of a prompt may take, in tokens of the counter. The threshold is in the provider's tokens of the
 * whole prompt, our counts are of the messages alone: the provider's tokenizer is taken into account as a factor, and
 * what the host's number has beyond that as a fixed part that stays.
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
