import { type Message, messageRoom, type TokenCounter } from '@palimpsest/core'
import { LENGTH_SLACK } from '@palimpsest/core/summarizer'
import type { CompressorProfile } from './options.ts'

/** The shares of the room below the threshold, as parts of the room that the system prompt leaves. */
const TAIL_SHARE = 0.3
/** The most that a tail may take when its newest results need it, unless more was asked for. */
const TAIL_LIMIT_SHARE = 0.52
const SUMMARY_SHARE = 0.12
const EXCERPTS_SHARE = 0.36
const IDENTIFIERS_SHARE = 0.13
/** The tail may exceed its size by this factor for messages that are protected by their number. */
const TAIL_SLACK = 1.5
/** When compactions follow each other too closely, the tail is cut to this part, so that room is regained. */
const DEEP_TAIL = 0.5

export interface TokenRoomInput {
  readonly profile: CompressorProfile
  readonly contextLength: number
  readonly thresholdTokens: number
  /** The prompt size that the window holds without a compaction before every turn, in tokens. */
  readonly heldTokens: number
  readonly messages: readonly Message[]
  readonly system: Message | undefined
  readonly tokens: TokenCounter
  /** Tokens of the prompt as the host reports them; includes text that is not in `messages`. */
  readonly currentTokens: number | undefined
  readonly targetTokens: number | undefined
  readonly deep: boolean
  /** Whether a model writes beside the excerpts. */
  readonly hasModel: boolean
}

/** Token budgets of one compaction, in tokens of our counter. */
export interface TokenRoom {
  /** The result should be smaller than this. */
  readonly target: number
  readonly head: number
  /** Tokens that the tail aims at. */
  readonly tail: number
  /** Tokens that the last messages may take that are protected by their number. */
  readonly protected: number
  /** Tokens that the tail must not exceed, as far as older results can be shortened. */
  readonly tailMax: number
  /** The hard limit of the tail, in tokens: results that the model has not seen yet may use the room that is left. */
  readonly tailLimit: number
  /** The most that a summary takes with all its parts. */
  readonly derived: number
  readonly summaryMin: number
  readonly summaryMax: number
  readonly excerpts: number
  readonly identifiers: number
}

/** Shares out the room that the messages may take: head and tail first, and what is derived gets no more than they leave. */
export function tokenRoom(input: TokenRoomInput): TokenRoom {
  const { profile, tokens } = input
  const target = messageRoom(input)
  const system = input.system === undefined ? 0 : tokens.countMessage(input.system)
  const available = Math.max(0, target - system)
  const head = Math.floor(available * profile.headShare)

  const ratio = profile.targetRatio ?? 0
  const tailMax = Math.floor(available * Math.max(TAIL_SHARE, ratio) * (input.deep ? DEEP_TAIL : 1))
  const tailLimit = Math.floor(available * Math.max(TAIL_LIMIT_SHARE, ratio))
  const tail = Math.min(tailMax, wantedTail(input))

  const wanted = {
    summary: Math.min(wantedSummary(input), available * SUMMARY_SHARE),
    excerpts: Math.min(profile.excerptsMax, available * EXCERPTS_SHARE),
    identifiers: Math.min(profile.identifiersMax, available * IDENTIFIERS_SHARE),
  }
  // Without a model, excerpts stand in the place of its text.
  const prose = input.hasModel || wanted.excerpts === 0 ? wanted.summary * LENGTH_SLACK : 0
  const derived = prose + wanted.excerpts + wanted.identifiers
  const share = Math.min(1, Math.max(0, available - head - tailLimit) / Math.max(1, derived))
  const held = messageRoom({ ...input, thresholdTokens: input.heldTokens }) - system - head - derived * share
  const slack = Math.min(tail * TAIL_SLACK, tailMax)
  return {
    target,
    head,
    tail,
    protected: profile.lastNIsMinimum ? Math.max(slack, held) : slack,
    tailMax,
    tailLimit,
    derived: derived * share,
    summaryMin: Math.floor(Math.min(profile.summaryMin, wanted.summary) * share),
    summaryMax: Math.floor(wanted.summary * share),
    excerpts: Math.floor(wanted.excerpts * share),
    identifiers: Math.floor(wanted.identifiers * share),
  }
}

function wantedTail({ profile, contextLength, thresholdTokens }: TokenRoomInput): number {
  if (profile.targetRatio !== null) return Math.floor(thresholdTokens * profile.targetRatio)
  const { share, min, max, maxShare } = profile.tailWindow
  return Math.floor(Math.min(Math.max(min, contextLength * share), max, contextLength * maxShare))
}

function wantedSummary({ profile, contextLength }: TokenRoomInput): number {
  const { summaryMin, summaryMax, summaryWindowShare } = profile
  return Math.max(1, Math.min(summaryMax, Math.max(summaryMin, contextLength * summaryWindowShare)))
}

/** Tokens for a summary: a share of what it replaces, between the bounds. */
export function summaryTokens(room: TokenRoom, profile: CompressorProfile, replacedTokens: number): number {
  return Math.floor(
    Math.min(room.summaryMax, Math.max(room.summaryMin, replacedTokens * profile.summaryRatio)),
  )
}
