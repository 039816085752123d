import { type CompressCall, type CompressResult, changedFrom, type Message } from '@palimpsest/core'

/** Growth after which a compaction that had nothing to do is tried again. */
const RETRY_GROWTH = 1.05
/** Compactions that come sooner than after this share of the target are too close to each other. */
const CLOSE_SHARE = 0.1
/** So many of them in a row, and the tail is cut deeper. */
const CLOSE_STREAK = 2

/** What one session's compressor remembers between calls. Everything else it reads from the messages. */
export interface CompactionState {
  /** Prompt size below which asking again is useless, in tokens; 0 when nothing speaks against it. */
  blockedBelow(): number
  /** Nothing could be gained at this size: wait until the prompt has grown. */
  block(promptTokens: number): void
  compacted(result: CompressResult, call: CompressCall, target: number): void
  /** True when nothing came since the last compaction, and it is not asked to be smaller than then. */
  isSettled(call: CompressCall): boolean
  /** True when compactions follow each other closely: each one must regain more room. */
  isThrashing(): boolean
  /** Failures of the summariser in a row. */
  failures(): number
  failed(now: number, cooldownMs: number): void
  succeeded(): void
  /** True while the summariser is not to be asked. A cooldown is never shortened. */
  isCooling(now: number): boolean
  reset(): void
}

export function createCompactionState(): CompactionState {
  const initial = {
    blockedAt: 0,
    lastAfter: 0,
    lastMessages: [] as readonly Message[],
    lastTarget: 0,
    close: 0,
    failures: 0,
    coolUntil: 0,
  }
  let state = { ...initial }
  return {
    blockedBelow: () => Math.ceil(state.blockedAt * RETRY_GROWTH),
    block(promptTokens) {
      state.blockedAt = promptTokens
    },
    compacted({ messages, tokensBefore, tokensAfter }, { targetTokens = Number.POSITIVE_INFINITY }, target) {
      const isClose = state.lastAfter > 0 && tokensBefore - state.lastAfter < target * CLOSE_SHARE
      const close = isClose ? state.close + 1 : 0
      state = {
        ...state,
        blockedAt: 0,
        lastAfter: tokensAfter,
        lastMessages: messages,
        lastTarget: targetTokens,
        close,
      }
    },
    isSettled({ messages, targetTokens = Number.POSITIVE_INFINITY }) {
      const { lastMessages, lastTarget } = state
      if (lastMessages.length === 0 || lastMessages.length !== messages.length) return false
      return targetTokens >= lastTarget && changedFrom(lastMessages, messages) === messages.length
    },
    isThrashing: () => state.close >= CLOSE_STREAK,
    failures: () => state.failures,
    failed(now, cooldownMs) {
      state.failures++
      state.coolUntil = Math.max(state.coolUntil, now + cooldownMs)
    },
    succeeded() {
      state.failures = 0
      state.coolUntil = 0
    },
    isCooling: (now) => now < state.coolUntil,
    reset() {
      state = { ...initial }
    },
  }
}
