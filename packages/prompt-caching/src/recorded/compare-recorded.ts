import { freezeMessage, type Message, type TokenCounter, type Usage } from '@palimpsest/core'
import { EMPTY_CACHE } from '../cache/cache-state.ts'
import { liveEntries } from '../cache/entry-life.ts'
import { createLayouter } from '../layout/create-layouter.ts'
import { planRequest } from '../plan/plan-breakpoints.ts'
import type { CachePricing } from '../pricing/cache-pricing.ts'
import { openaiMessagesWire } from '../wire/openai-messages/openai-messages-wire.ts'

/** The members of a recorded session that are read. A `Transcript` of `@palimpsest/transcripts` has them. */
export interface RecordedSession {
  readonly entries: readonly {
    readonly message: Message
    readonly usage?: Usage
    /** Milliseconds since the epoch. */
    readonly timestamp?: number
  }[]
  /** Compactions of the recorded host: before this entry. */
  readonly nativeCompactions: readonly { readonly beforeEntry: number; readonly summary?: string }[]
}

/** A provider's own report beside what the simulator says about the recorded requests. Shares are of the prompt. */
export interface RecordedCacheReport {
  /** Requests that could be compared: the first of a recording cannot. */
  readonly requests: number
  /** Median difference of tokens read, with the sizes of prompts as they were recorded: the rules alone. */
  readonly medianReadError: number
  readonly medianWriteError: number
  /** The same with sizes as we count them: rules and tokenizer. */
  readonly medianCountedError: number
  /** Requests that differ by more than a hundredth of the prompt, by kind. */
  readonly misses: {
    /** Nothing was read, not even the system prompt, within the lifetime: it was another one, or the entry was gone. */
    readonly nothingRead: number
    /** Only the beginning before the messages was read: an earlier message was another one than the file says. */
    readonly headOnly: number
    /** More was read than can be explained: another session had written it, or it lived longer than was promised. */
    readonly moreRead: number
    readonly other: number
  }
}

/** Messages of a request. No window holds more of a conversation: the file does not say what was left out of it. */
const MAX_COMPARED = 10_000

/** The share of the prompt from which a difference counts. */
const TOLERANCE = 0.01

interface Comparison {
  readonly prompt: number
  readonly read: number
  readonly predicted: number
  readonly counted: number
  /** Tokens before the messages, as they were recorded: system prompt and tools, which the file does not have. */
  readonly head: number
  readonly write: number | undefined
}

/**
 * Compares a simulated cache with the provider's report for the requests of a recording. The size of the system
 * prompt and the tools, which a recording does not have, is learnt from the first request. Null when fewer than two
 * answers have a count of cached tokens.
 */
export function compareRecorded(
  { entries, nativeCompactions }: RecordedSession,
  pricing: CachePricing,
  tokens: TokenCounter,
): RecordedCacheReport | null {
  const isSaid = ({ usage }: { readonly usage?: Usage }) => usage?.cacheReadTokens !== undefined
  if (entries.filter(isSaid).length < 2) return null
  const messages = entries.map(({ message }) => freezeMessage(message))
  const isLong = entries.some(({ usage }) => (usage?.cacheWrite1hTokens ?? 0) > 0)
  // Sizes are the recording's, so that a prompt without its head is not taken for a short one.
  const rules: CachePricing = { ...pricing, minimumTokens: 0 }
  const layouter = createLayouter(openaiMessagesWire('native'), tokens, rules)
  const clock = createRequestClock()
  /** Tokens in the provider's cache at the end of a request, by the hash of its prompt. */
  const recordedEnds = new Map<string, number>()
  const comparisons: Comparison[] = []
  let state = EMPTY_CACHE
  let head: number | undefined
  let factor = 1

  for (const [index, { message, usage }] of entries.entries()) {
    if (message.role !== 'assistant' || index === 0) continue
    clock.start(entries[index - 1]?.timestamp)
    const compaction = nativeCompactions.findLast(({ beforeEntry }) => beforeEntry <= index)
    if (index - (compaction?.beforeEntry ?? 0) > MAX_COMPARED) continue
    const request = requestAt(messages, compaction, index)
    const layout = layouter.layout({ messages: request })
    const at = clock.now()
    const isWarm = liveEntries(state, at, rules).length > 0
    const { hit, state: after } = planRequest({ layout, at }, state, rules, { ttl: isLong ? '1h' : '5m' })
    state = after
    if (usage === undefined || usage.cacheReadTokens === undefined) continue
    const counted = layout.tokens
    head ??= Math.max(0, usage.promptTokens - counted)
    const own = usage.promptTokens - head
    if (own > 0.8 * counted && own < 2 * counted) factor = own / counted
    // The part before the messages is read when none of them is.
    const atLeast = isWarm ? head : 0
    comparisons.push({
      prompt: usage.promptTokens,
      read: usage.cacheReadTokens,
      predicted: (hit && recordedEnds.get(layout.hashes[hit.block] ?? '')) ?? atLeast,
      counted: hit === null ? atLeast : head + factor * hit.tokens,
      head,
      write: usage.cacheWriteTokens,
    })
    recordedEnds.set(layout.hashes.at(-1) ?? '', usage.cacheReadTokens + writtenBy(usage))
  }
  return comparisons.length < 2 ? null : report(comparisons.slice(1))
}

/** The messages that the recorded host sent: after a compaction of its own, its summary and all later messages. */
function requestAt(
  messages: readonly Message[],
  last: RecordedSession['nativeCompactions'][number] | undefined,
  index: number,
): readonly Message[] {
  if (last === undefined) return messages.slice(0, index)
  const summary: Message = { role: 'user', content: last.summary ?? '(summary)' }
  return [summary, ...messages.slice(last.beforeEntry, index)]
}

function writtenBy({ promptTokens, cacheReadTokens = 0, cacheWriteTokens }: Usage): number {
  return cacheWriteTokens ?? promptTokens - cacheReadTokens
}

function report(comparisons: readonly Comparison[]): RecordedCacheReport {
  const misses = { nothingRead: 0, headOnly: 0, moreRead: 0, other: 0 }
  for (const { prompt, read, predicted, head } of comparisons) {
    if (Math.abs(predicted - read) <= TOLERANCE * prompt) continue
    if (read > predicted) misses.moreRead++
    else if (read === 0) misses.nothingRead++
    else if (read <= head * (1 + TOLERANCE)) misses.headOnly++
    else misses.other++
  }
  return {
    requests: comparisons.length,
    medianReadError: median(comparisons.map((c) => Math.abs(c.predicted - c.read) / c.prompt)),
    medianWriteError: median(
      comparisons.flatMap(({ prompt, predicted, write }) =>
        write === undefined ? [] : [Math.abs(prompt - predicted - write) / prompt],
      ),
    ),
    medianCountedError: median(comparisons.map((c) => Math.abs(c.counted - c.read) / c.prompt)),
    misses,
  }
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  const upper = sorted[middle] ?? 0
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? upper)) / 2
}

/** Between requests for which a recording has no times: an agent at work. In milliseconds. */
const ASSUMED_STEP = 15_000

/** When the requests of a recording started. */
export interface RequestClock {
  /**
   * The next request starts: when what it answers was recorded, in milliseconds since the epoch. Undefined: a step
   * after the one before.
   */
  start(recordedAt: number | undefined): void
  now(): number
}

/** Requests start one after the other, whatever the recording's clock did. */
export function createRequestClock(): RequestClock {
  let now: number | undefined
  return {
    start(recordedAt) {
      if (now === undefined) now = recordedAt ?? 0
      else now = Math.max(now + 1, recordedAt ?? now + ASSUMED_STEP)
    },
    now: () => now ?? 0,
  }
}
