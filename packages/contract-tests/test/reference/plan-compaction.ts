import {
  countMessages,
  findLastUser,
  isBridge,
  isInstruction,
  isSummary,
  type Message,
  readSummary,
  type TokenCounter,
  toolTransactions,
} from '@palimpsest/core'

/** A list of messages cut into what stays and what is summarised. */
export interface Plan {
  readonly system: Message | undefined
  readonly head: readonly Message[]
  /** The messages that the summary replaces. */
  readonly middle: readonly Message[]
  /** The text of an earlier summary. */
  readonly previous: string
  /** The last user message, when it stands before the tail. */
  readonly request: Message | undefined
  readonly tail: readonly Message[]
}

/** Shares of the room for a projection. The system prompt and the request of the user stay whatever they cost. */
export const SHARES = { head: 0.1, tail: 0.25, summary: 0.2 } as const

/** Messages of the head at most. */
const HEAD_MESSAGES = 3

/** Finds what stays, whole transactions at a time. `room` is in tokens. */
export function planCompaction(messages: readonly Message[], room: number, tokens: TokenCounter): Plan {
  const system = isInstruction(messages[0]) ? messages[0] : undefined
  const body = system === undefined ? messages : messages.slice(1)
  const summaryAt = body.findLastIndex(isSummary)
  const summary = body[summaryAt]
  const floor = summaryAt + (isBridge(body[summaryAt + 1]) ? 2 : 1)
  const tailStart = findTailStart(body, floor, room * SHARES.tail, tokens)
  const headLimit = summaryAt === -1 ? tailStart : summaryAt
  const headEnd = findHeadEnd(body, headLimit, room * SHARES.head, tokens)
  const lastUser = findLastUser(body)
  const leaves = (message: Message, index: number) =>
    index >= headEnd &&
    index < tailStart &&
    index !== lastUser &&
    (index < summaryAt || index >= floor) &&
    !isBridge(message)
  return {
    system,
    head: body.slice(0, headEnd),
    middle: body.filter(leaves),
    previous: (summary && readSummary(summary)) ?? '',
    request: lastUser >= headEnd && lastUser < tailStart ? body[lastUser] : undefined,
    tail: body.slice(tailStart),
  }
}

/** As much as the room takes; the newest transaction always. */
function findTailStart(body: readonly Message[], floor: number, room: number, tokens: TokenCounter): number {
  let start = body.length
  let left = room
  for (const transaction of toolTransactions(body).reverse()) {
    left -= countMessages(tokens, body.slice(transaction.start, transaction.end))
    if (transaction.start < floor || (left < 0 && start < body.length)) break
    start = transaction.start
  }
  return start
}

function findHeadEnd(body: readonly Message[], limit: number, room: number, tokens: TokenCounter): number {
  let end = 0
  for (const transaction of toolTransactions(body)) {
    const isTooMuch = countMessages(tokens, body.slice(0, transaction.end)) > room
    if (end >= HEAD_MESSAGES || transaction.end > limit || isTooMuch) break
    end = transaction.end
  }
  // A user turn there would need a bridge to the summary.
  while (body[end - 1]?.role === 'user') end--
  return end
}
