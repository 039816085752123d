import {
  countMessages,
  findLastUser,
  firstTransactions,
  isBridge,
  isInstruction,
  isSummary,
  lastTransactions,
  type Message,
  readSummary,
  type TokenCounter,
  type Transaction,
} from '@palimpsest/core'
import type { CompressorProfile } from './options.ts'
import type { TokenRoom } from './token-room.ts'

/** A list of messages cut into the parts of a compaction. Nothing is cut inside a tool transaction. */
export interface Boundaries {
  readonly system: Message | undefined
  /** Protected beginning, verbatim. */
  readonly head: readonly Message[]
  /** Messages that the summary replaces, without an earlier summary. */
  readonly middle: readonly Message[]
  /** The text of an earlier summary. */
  readonly previousSummary: string | undefined
  /** The last user message, when it stands before the tail and has to be kept apart. */
  readonly request: Message | undefined
  /** Protected end. */
  readonly tail: readonly Message[]
  /** The number of protected last messages that do not stay. */
  readonly missingLast: number
}

/** Finds what is kept and what is summarised. Linear. */
export function findBoundaries(
  messages: readonly Message[],
  profile: CompressorProfile,
  room: TokenRoom,
  tokens: TokenCounter,
): Boundaries {
  const system = isInstruction(messages[0]) ? messages[0] : undefined
  const body = system === undefined ? messages : messages.slice(1)
  const summaryIndex = body.findLastIndex(isSummary)
  const previousSummary = summaryIndex === -1 ? undefined : readSummary(body[summaryIndex] as Message)
  const floor = firstNewIndex(body, summaryIndex)
  const tailStart = findTailStart(body, floor, profile, room, tokens)
  const lastUser = findLastUser(body)
  const range = (from: number, to: number) =>
    body
      .slice(from, Math.max(from, to))
      .filter((message, index) => from + index !== lastUser && !isBridge(message))
  const headEnd = findHeadEnd(body, summaryIndex === -1 ? tailStart : summaryIndex, profile, room, tokens)
  return {
    system,
    head: body.slice(0, headEnd),
    // Messages between head and summary were never summarised.
    middle: [...range(headEnd, summaryIndex), ...range(Math.max(floor, headEnd), tailStart)],
    previousSummary,
    request: lastUser >= headEnd && lastUser < tailStart ? body[lastUser] : undefined,
    tail: body.slice(tailStart),
    missingLast: Math.min(
      profile.protectLastN - (body.length - tailStart),
      tailStart - Math.max(floor, headEnd),
    ),
  }
}

/** Index behind an earlier summary and the bridge that came with it. */
function firstNewIndex(body: readonly Message[], summaryIndex: number): number {
  const next = summaryIndex + 1
  return summaryIndex !== -1 && isBridge(body[next]) ? next + 1 : next
}

/** Walks back by whole transactions: as many as the budget takes, the protected number where there is room for it. */
function findTailStart(
  body: readonly Message[],
  floor: number,
  profile: CompressorProfile,
  room: TokenRoom,
  tokens: TokenCounter,
): number {
  let start = body.length
  let sum = 0
  for (const transaction of lastTransactions(body)) {
    if (transaction.start < floor) break
    const size = countRange(body, transaction, tokens)
    const protectedByCount = body.length - start < profile.protectLastN
    const limit = protectedByCount ? room.protected : room.tail
    // The newest transaction is always kept: what is too long in it is shortened, not summarised.
    if (start < body.length && sum + size > limit) break
    sum += size
    start = transaction.start
  }
  const asked = body[start - 1]
  if (start - 1 >= floor && asked?.role === 'user' && sum + tokens.countMessage(asked) <= room.tailMax)
    start--
  return start
}

function countRange(body: readonly Message[], { start, end }: Transaction, tokens: TokenCounter): number {
  return countMessages(tokens, body.slice(start, end))
}

/** The protected head: whole transactions, within its budget, never the message that the user last wrote. */
function findHeadEnd(
  body: readonly Message[],
  limit: number,
  profile: CompressorProfile,
  room: TokenRoom,
  tokens: TokenCounter,
): number {
  const lastUser = findLastUser(body)
  let end = 0
  let sum = 0
  for (const transaction of firstTransactions(body)) {
    sum += countRange(body, transaction, tokens)
    const holdsRequest = transaction.start <= lastUser && lastUser < transaction.end
    if (end >= profile.protectFirstN || transaction.end > limit || sum > room.head || holdsRequest) break
    end = transaction.end
  }
  // The summary stands in the user role: the head must not end with a user turn.
  while (body[end - 1]?.role === 'user') end--
  return end
}
