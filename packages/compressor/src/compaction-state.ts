import {
  type CompressCall,
  type CompressResult,
  changedFrom,
  type Message,
  readSummary,
  toolCallsOf,
} from '@palimpsest/core'
import { createIdentifierMemory, type IdentifierMemory } from '@palimpsest/extractive'
import type { CompactionPlan } from './plan-compaction.ts'
import type { Told } from './told.ts'

/** Compactions that come sooner than after this share of the target are too close to each other. */
const CLOSE_SHARE = 0.1
/** So many of them in a row, and the tail is cut deeper. */
const CLOSE_STREAK = 2

/** The memory of one session's compressor between calls. Everything else it reads from the messages. */
export interface CompactionState {
  compacted(result: CompressResult, call: CompressCall, plan: CompactionPlan): void
  /** True when nothing came since the last compaction, and it is not asked to be smaller than then. */
  isSettled(call: CompressCall): boolean
  /** Identifiers that the session has mentioned so far. */
  readonly memory: IdentifierMemory
  /** Lines that the summaries of this session have told. */
  readonly told: Told
  /** True when compactions follow each other closely: each one must regain more room. */
  isThrashing(): boolean
  /** The sizes have changed with the model. */
  forgetSizes(): void
  reset(): void
}

const SIZES = { lastAfter: 0, lastMessages: [] as readonly Message[], lastTarget: 0, close: 0 }

export function createCompactionState(): CompactionState {
  let sizes = { ...SIZES }
  const memory = createIdentifierMemory()
  let lastSummary: string | undefined
  let toldCalls = new Set<string>()
  return {
    told: {
      summary: (text) => text === lastSummary,
      call: (id) => toldCalls.has(id),
    },
    memory,
    compacted(result, { targetTokens = Number.POSITIVE_INFINITY }, plan) {
      const { messages, tokensBefore, tokensAfter } = result
      const isClose = sizes.lastAfter > 0 && tokensBefore - sizes.lastAfter < plan.room.target * CLOSE_SHARE
      sizes = {
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
    forgetSizes() {
      sizes = { ...SIZES }
    },
    reset() {
      sizes = { ...SIZES }
      memory.clear()
      lastSummary = undefined
      toldCalls = new Set()
    },
  }
}
