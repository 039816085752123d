import {
  countMessages,
  firstTransactions,
  lastTransactions,
  type Message,
  repairMessages,
  type TokenCounter,
  toolCallsOf,
} from '@palimpsest/core'
import { recordsBudget } from '@palimpsest/summaries'
import { showMessage } from './large-results.ts'
import type { LcmSettings } from './options.ts'
import { type ContextWindow, isUserTurn, type WindowMessage } from './window.ts'

const TAIL_SHARE = 0.25
/** Maximum size of the tail if it has to hold the whole last turn or a large newest transaction. */
const TAIL_LIMIT_SHARE = 0.55
const QUOTED_SHARE = 0.5
const FACTS_SHARE = 0.15
/** Approximate tokens of the bridge and the request after the summaries. */
const RESERVE = 60
const RESULT_SHARE = 0.25
/** A leaf covers at most this share of the room, so that a small window still has several. */
const LEAF_SHARE = 0.5
const QUOTED = 0.4
const CONDENSED_AT_ONCE = 0.7
/** Summaries are condensed when their stored content exceeds this multiple of the room for showing them. */
const STORED_FACTOR = 3
/** An assistant message up to this many tokens stays with the user's reply to it. */
const MOST_OF_ANSWERED = 150
/** Results in the tail are not cut below this many tokens. */
const LEAST_RESULT = 60

export interface CompactionLimits {
  readonly available: number
  readonly summaries: number
  readonly records: number
  readonly run: number
  readonly quoted: number
  readonly stored: number
  readonly result: number
}

export interface CompactionPlan {
  readonly limits: CompactionLimits
  readonly blocks: readonly (readonly WindowMessage[])[]
  readonly tail: readonly WindowMessage[]
  readonly leavingTokens: number
}

export interface PlanInput {
  readonly room: number
  readonly leading: readonly Message[]
  readonly settings: LcmSettings
  readonly tokens: TokenCounter
  readonly hasModel: boolean
}

export function planCompaction({ tail }: ContextWindow, input: PlanInput): CompactionPlan {
  const { settings, tokens } = input
  const available = Math.max(1, input.room - countMessages(tokens, input.leading))
  const records = recordsBudget(available)
  const summaries = Math.floor(available * (input.hasModel ? FACTS_SHARE : QUOTED_SHARE)) + records
  const result = Math.min(settings.large_result_tokens, Math.floor(available * RESULT_SHARE))
  const sizes = (shown: number) => (message: WindowMessage) => shownTokens(message, shown, tokens)
  const start = findTailStart(tail, sizes(result), {
    wanted: Math.min(settings.fresh_tail_tokens, available * TAIL_SHARE),
    limit: available * TAIL_LIMIT_SHARE,
  })
  const chunk = Math.min(settings.leaf_chunk_tokens, Math.max(1, available * LEAF_SHARE))
  const leaving = tail.slice(0, start)
  const kept = tail.slice(start)
  const shownResult = fitResults(kept, result, available * TAIL_LIMIT_SHARE, sizes)
  const keptTokens = sum(kept.map(sizes(shownResult)))
  return {
    limits: {
      available,
      summaries: Math.min(summaries, Math.max(records, Math.floor(available - keptTokens - RESERVE))),
      records,
      run: Math.floor(records * CONDENSED_AT_ONCE),
      quoted: Math.floor(records * QUOTED),
      stored: summaries * STORED_FACTOR,
      result: shownResult,
    },
    blocks: toBlocks(leaving, chunk),
    tail: kept,
    leavingTokens: sum(leaving.map((message) => message.tokens)),
  }
}

/**
 * Start of the fresh tail: as many whole transactions as wanted, always the newest, and the whole last turn of the user
 * if it fits the limit.
 */
function findTailStart(
  tail: readonly WindowMessage[],
  sizeOf: SizeOf,
  room: { readonly wanted: number; readonly limit: number },
): number {
  const messages = tail.map(({ message }) => message)
  const usual = takeFromEnd(tail, messages, sizeOf, room.wanted)
  const lastUser = tail.findLastIndex(isUserTurn)
  const fits = lastUser !== -1 && takeFromEnd(tail, messages, sizeOf, room.limit) <= lastUser
  const start = fits ? Math.min(usual, lastUser) : usual
  return isAnswered(tail[start - 1], tail[start]) ? start - 1 : start
}

/** A reply such as "yes" means nothing without the assistant's message before it. */
function isAnswered(before: WindowMessage | undefined, reply: WindowMessage | undefined): boolean {
  if (before?.message.role !== 'assistant' || reply?.message.role !== 'user') return false
  return before.tokens <= MOST_OF_ANSWERED && toolCallsOf(before.message).length === 0
}

type SizeOf = (message: WindowMessage) => number

function takeFromEnd(
  tail: readonly WindowMessage[],
  messages: readonly Message[],
  sizeOf: SizeOf,
  room: number,
): number {
  let start = tail.length
  let size = 0
  let isShown = false
  for (const transaction of lastTransactions(messages)) {
    size += sum(tail.slice(transaction.start, transaction.end).map(sizeOf))
    if (isShown && size > room) break
    start = transaction.start
    // A result without its call is not shown, so the transaction before it is the newest.
    isShown ||= repairMessages(messages.slice(start, transaction.end)).messages.length > 0
  }
  return start
}

function toBlocks(messages: readonly WindowMessage[], chunk: number): WindowMessage[][] {
  const total = sum(messages.map(({ tokens }) => tokens))
  const even = total / Math.max(1, Math.ceil(total / chunk))
  const blocks: WindowMessage[][] = []
  let size = 0
  for (const { start, end } of firstTransactions(messages.map(({ message }) => message))) {
    let cost = 0
    for (let index = start; index < end; index++) cost += messages[index]?.tokens ?? 0
    // Up to half of a transaction may exceed the even share, within the bound.
    if (blocks.length === 0 || size + cost / 2 > even || size + cost > chunk) {
      blocks.push(messages.slice(start, end))
      size = cost
    } else {
      const last = blocks.at(-1)
      for (let index = start; index < end; index++) last?.push(messages[index] as WindowMessage)
      size += cost
    }
  }
  return blocks
}

function fitResults(
  tail: readonly WindowMessage[],
  result: number,
  room: number,
  sizes: (result: number) => SizeOf,
): number {
  let limit = result
  while (limit > LEAST_RESULT && sum(tail.map(sizes(limit))) > room)
    limit = Math.max(LEAST_RESULT, Math.floor(limit / 2))
  return limit
}

function shownTokens(message: WindowMessage, result: number, tokens: TokenCounter): number {
  const shown = showMessage(message, result)
  return shown === message.message ? message.tokens : tokens.countMessage(shown)
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
