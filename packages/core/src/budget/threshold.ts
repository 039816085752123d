import type { Message, TokenCounter } from '../spec/v1/index.ts'
import { countMessages } from './count-tokens.ts'

const DEFAULT_THRESHOLD = 0.5

/** Least threshold of small windows, in tokens, for `floorTokens`. Source: Hermes Agent, 2026. */
export const THRESHOLD_FLOOR_TOKENS = 64_000
const FLOOR_SHARE = 0.75

export interface ThresholdInput {
  readonly contextLength: number
  /** Tokens reserved for the answer. Values that leave no room are ignored. Default 0. */
  readonly maxOutputTokens?: number
  /** Share of the usable window, 0 to 1. 0 means never, and counts as the whole window. Default 0.5. */
  readonly threshold?: number
  /**
   * Least threshold, in tokens, but at most 75 % of the usable window: half of 8,000 tokens does not hold what a user
   * says in a day. Default 0.
   */
  readonly floorTokens?: number
}

/**
 * The prompt size, in tokens, from which an engine compacts: (window − answer) × threshold, at least 1. An engine with
 * a threshold of 0 never compacts by itself; the size is then the target of a requested compaction.
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

/** Share of the window from which a session compacts before a turn, regardless of its engine. */
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

/** Messages get at least this share of the threshold, however large the rest of the prompt is. */
const LEAST_ROOM_SHARE = 0.1

export interface MessageRoomInput {
  readonly thresholdTokens: number
  readonly messages: readonly Message[]
  readonly tokens: TokenCounter
  /** The host's count of the whole prompt, in tokens. Default: the count of `messages`. */
  readonly currentTokens?: number | undefined
  /** Upper bound for the messages, in tokens of `tokens`. Default: none. */
  readonly targetTokens?: number | undefined
}

/**
 * Room for the messages of a prompt, in tokens of the counter. The threshold counts the whole prompt in the provider's
 * tokens. The counter counts only messages. The room is scaled by the ratio of the two, after the fixed rest of the
 * prompt is subtracted.
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
