import type { Message, TokenCounter } from '../spec/v1/index.ts'
import { countMessages } from './count-tokens.ts'

const DEFAULT_THRESHOLD = 0.5

/** A floor for windows in which half is too little, in tokens: that of Hermes Agent in 2026. */
export const THRESHOLD_FLOOR_TOKENS = 64_000
const FLOOR_SHARE = 0.75

export interface ThresholdInput {
  readonly contextLength: number
  /** Tokens reserved for the answer. Values that leave no room are ignored. Default 0. */
  readonly maxOutputTokens?: number
  /** Share of the usable window, 0 to 1; 0 stands for never, and counts as the whole of it. Default 0.5. */
  readonly threshold?: number
  /**
   * In small windows compaction begins at this many tokens, or at 75 % of the usable window where that is less, when the share is
   * below both: half of 8,000 tokens does not hold what a user says in a day. Default 0: the share alone.
   */
  readonly floorTokens?: number
}

/**
 * The prompt size, in tokens, from which an engine compacts: (window − answer) × threshold, at least 1. With a
 * threshold of 0 an engine does not compact by itself; the size is then the target of a compaction that is asked for.
 */
export function thresholdTokens({
  contextLength,
  maxOutputTokens = 0,
  threshold = DEFAULT_THRESHOLD,
  floorTokens = 0,
}: ThresholdInput): number {
  const reserved =
    Number.isInteger(maxOutputTokens) && maxOutputTokens > 0 && maxOutputTokens < contextLength
      ? maxOutputTokens
      : 0
  const usable = contextLength - reserved
  return Math.max(
    1,
    Math.floor(Math.max(usable * (threshold || 1), Math.min(floorTokens, usable * FLOOR_SHARE))),
  )
}

/** Share of the window from which a session is compacted before a turn, whatever its engine says. */
export const HYGIENE_SHARE = 0.85
const HYGIENE_MIN_MESSAGES = 4

interface HygieneInput {
  readonly contextLength: number
  readonly messageCount: number
  readonly promptTokens: number
}

export function needsHygiene({ contextLength, messageCount, promptTokens }: HygieneInput): boolean {
  return messageCount >= HYGIENE_MIN_MESSAGES && promptTokens >= contextLength * HYGIENE_SHARE
}

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
