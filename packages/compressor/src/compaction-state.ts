import {
  type CompressCall,
  type CompressResult,
  changedFrom,
  type Message,
  readSummary,
  toolCallsOf,
} from '@palimpsest/core'
import type { CompactionPlan } from './plan-compaction.ts'
import type { Told } from './told.ts'

/** Growth after which a compaction that had nothing to do is tried again. */
const RETRY_GROWTH = 1.05
/** A prompt that is this much smaller is another one: the host took messages back. */
const RETRY_SHRINK = 0.95
/** Compactions that come sooner than after this share of the target are too close to each other. */
const CLOSE_SHARE = 0.1
/** So many of them in a row, and the tail is cut deeper. */
const CLOSE_STREAK = 2

/** What one session's compressor remembers between calls. Everything else it reads from the messages. */
export interface CompactionState {
  /** True for a prompt size, in tokens, at which asking again is useless. */
  isBlocked(promptTokens: number): boolean
  /** Nothing could be gained at this size: wait until the prompt has grown. */
  block(promptTokens: number): void
  compacted(result: CompressResult, call: CompressCall, plan: CompactionPlan): void
  /** True when nothing came since the last compaction, and it is not asked to be smaller than then. */
  isSettled(call: CompressCall): boolean
  /** What the summaries of this session have told. */
  readonly told: Told
  /** True when compactions follow each other closely: each one must regain more room. */
  isThrashing(): boolean
  /** Failures of the summariser in a row. */
  failures(): number
  failed(now: number, cooldownMs: number): void
  succeeded(): void
  /** True while the summariser is not to be asked. A cooldown is never shortened. */
  isCooling(now: number): boolean
  /** The sizes have changed with the model: what was useless before may be useful now. */
  unblock(): void
  reset(): void
}

const SIZES = { blockedAt: 0, lastAfter: 0, lastMessages: [] as readonly Message[], lastTarget: 0, close: 0 }
const COOLDOWN = { failures: 0, coolUntil: 0 }

export function createCompactionState(): CompactionState {
  let sizes = { ...SIZES }
  let cooldown = { ...COOLDOWN }
  let lastSummary: string | undefined
  let toldCalls = new Set<string>()
  return {
    told: {
      summary: (text) => text === lastSummary,
      call: (id) => toldCalls.has(id),
    },
    isBlocked: (promptTokens) =>
      promptTokens >= sizes.blockedAt * RETRY_SHRINK && promptTokens < sizes.blockedAt * RETRY_GROWTH,
    block(promptTokens) {
      sizes.blockedAt = promptTokens
    },
    compacted(result, { targetTokens = Number.POSITIVE_INFINITY }, plan) {
      const { messages, tokensBefore, tokensAfter } = result
      const isClose = sizes.lastAfter > 0 && tokensBefore - sizes.lastAfter < plan.room.target * CLOSE_SHARE
      sizes = {
        blockedAt: 0,
        lastAfter: tokensAfter,
        lastMessages: messages,
        lastTarget: targetTokens,
        close: isClose ? sizes.close + 1 : 0,
      }
      lastSummary = messages.map(readSummary).findLast((text) => text !== undefined)
      for (const message of plan.tail.spilled) for (const { id } of toolCallsOf(message)) toldCalls.add(id)
    },
    isSettled({ messages, targetTokens = Number.POSITIVE_INFINITY }) {
      const { lastMessages, lastTarget } = sizes
      if (lastMessages.length === 0 || lastMessages.length !== messages.length) return false
      return targetTokens >= lastTarget && changedFrom(lastMessages, messages) === messages.length
    },
    isThrashing: () => sizes.close >= CLOSE_STREAK,
    failures: () => cooldown.failures,
    failed(now, cooldownMs) {
      cooldown.failures++
      cooldown.coolUntil = Math.max(cooldown.coolUntil, now + cooldownMs)
    },
    succeeded() {
      cooldown = { ...COOLDOWN }
    },
    isCooling: (now) => now < cooldown.coolUntil,
    unblock() {
      sizes = { ...SIZES }
    },
    reset() {
      sizes = { ...SIZES }
      cooldown = { ...COOLDOWN }
      lastSummary = undefined
      toldCalls = new Set()
    },
  }
}
