import { type Message, messageRoom, type TokenCounter } from '@palimpsest/core'
import type { CompressorProfile } from './options.ts'

/** How the room below the threshold is shared out, as parts of what the system prompt leaves. Together 0.73. */
const TAIL_SHARE = 0.3
/** The most that a tail may take when its newest results need it. With the other shares 0.95. */
const TAIL_LIMIT_SHARE = 0.52
const SUMMARY_SHARE = 0.12
const USER_MESSAGES_SHARE = 0.08
const IDENTIFIERS_SHARE = 0.18
const HEAD_SHARE = 0.05
/** When compactions follow each other too closely, the tail is cut to this part, so that room is regained. */
const DEEP_TAIL = 0.5

export interface TokenRoomInput {
  readonly profile: CompressorProfile
  readonly contextLength: number
  readonly thresholdTokens: number
  readonly messages: readonly Message[]
  readonly system: Message | undefined
  readonly tokens: TokenCounter
  /** What the host says the prompt costs; includes what is not in `messages`. */
  readonly currentTokens: number | undefined
  readonly targetTokens: number | undefined
  readonly deep: boolean
}

/** Token budgets of one compaction, in tokens of our counter. */
export interface TokenRoom {
  /** The result should be smaller than this. */
  readonly target: number
  readonly head: number
  /** What the tail aims at. */
  readonly tail: number
  /** What the tail must not exceed, as far as older results can be shortened. */
  readonly tailMax: number
  /** What the tail must not exceed at all: results that the model has not seen yet may use the room that is left. */
  readonly tailLimit: number
  readonly summaryMin: number
  readonly summaryMax: number
  readonly userMessages: number
  readonly identifiers: number
}

/** Shares out the room that the messages may take. */
export function tokenRoom(input: TokenRoomInput): TokenRoom {
  const { profile, contextLength, thresholdTokens, tokens } = input
  const target = messageRoom(input)
  const system = input.system === undefined ? 0 : tokens.countMessage(input.system)
  const available = Math.max(0, target - system)

  const tailMax = Math.floor(available * TAIL_SHARE * (input.deep ? DEEP_TAIL : 1))
  const summaryMax = Math.max(
    1,
    Math.min(profile.summaryMax, Math.max(profile.summaryMin, contextLength * profile.summaryWindowShare)),
  )
  return {
    target,
    head: Math.floor(available * HEAD_SHARE),
    tail: Math.min(tailMax, wantedTail(profile, contextLength, thresholdTokens)),
    tailMax,
    tailLimit: Math.floor(available * TAIL_LIMIT_SHARE),
    summaryMin: Math.floor(Math.min(profile.summaryMin, available * SUMMARY_SHARE)),
    summaryMax: Math.floor(Math.min(summaryMax, available * SUMMARY_SHARE)),
    userMessages: Math.floor(Math.min(profile.userMessagesMax, available * USER_MESSAGES_SHARE)),
    identifiers: Math.floor(Math.min(profile.identifiersMax, available * IDENTIFIERS_SHARE)),
  }
}

function wantedTail(profile: CompressorProfile, contextLength: number, threshold: number): number {
  if (profile.targetRatio !== null) return Math.floor(threshold * profile.targetRatio)
  const { share, min, max, maxShare } = profile.tailWindow
  return Math.floor(Math.min(Math.max(min, contextLength * share), max, contextLength * maxShare))
}

/** Tokens for a summary: a share of what it replaces, between the bounds. */
export function summaryTokens(room: TokenRoom, profile: CompressorProfile, replacedTokens: number): number {
  return Math.floor(
    Math.min(room.summaryMax, Math.max(room.summaryMin, replacedTokens * profile.summaryRatio)),
  )
}
