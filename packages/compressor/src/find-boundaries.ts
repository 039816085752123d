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
} from '@palimpsest/core'

export interface Boundaries {
  readonly system: Message | undefined
  readonly head: readonly Message[]
  readonly middle: readonly Message[]
  readonly previousSummary: string | undefined
  readonly request: Message | undefined
  readonly tail: readonly Message[]
}

export interface BoundaryLimits {
  readonly first: { readonly messages: number; readonly tokens: number; readonly message: number }
  readonly last: { readonly messages: number; readonly tokens: number; readonly protected: number }
}

export function findBoundaries(
  messages: readonly Message[],
  limits: BoundaryLimits,
  tokens: TokenCounter,
): Boundaries {
  const system = isInstruction(messages[0]) ? messages[0] : undefined
  const body = system === undefined ? messages : messages.slice(1)
  const summaryIndex = body.findLastIndex(isSummary)
  const floor = isBridge(body[summaryIndex + 1]) && summaryIndex !== -1 ? summaryIndex + 2 : summaryIndex + 1
  const tailStart = findTailStart(body, floor, limits.last, tokens)
  const headEnd = findHeadEnd(body, summaryIndex === -1 ? tailStart : summaryIndex, limits.first, tokens)
  const lastUser = findLastUser(body)
  const between = (from: number, to: number) =>
    body
      .slice(from, Math.max(from, to))
      .filter((message, index) => from + index !== lastUser && !isBridge(message))
  return {
    system,
    head: body.slice(0, headEnd),
    // Messages between head and summary were never summarised.
    middle: [...between(headEnd, summaryIndex), ...between(Math.max(floor, headEnd), tailStart)],
    previousSummary: summaryIndex === -1 ? undefined : readSummary(body[summaryIndex] as Message),
    request: lastUser >= headEnd && lastUser < tailStart ? body[lastUser] : undefined,
    tail: body.slice(tailStart),
  }
}

function findTailStart(
  body: readonly Message[],
  floor: number,
  last: BoundaryLimits['last'],
  tokens: TokenCounter,
): number {
  let start = body.length
  let sum = 0
  for (const transaction of lastTransactions(body)) {
    if (transaction.start < floor) break
    const size = countMessages(tokens, body.slice(transaction.start, transaction.end))
    const limit = body.length - start < last.messages ? last.protected : last.tokens
    if (start < body.length && sum + size > limit) break
    sum += size
    start = transaction.start
  }
  const asked = body[start - 1]
  const isNear = start > floor && asked?.role === 'user' && !isSummary(asked)
  return isNear && sum + tokens.countMessage(asked) <= last.protected ? start - 1 : start
}

function findHeadEnd(
  body: readonly Message[],
  limit: number,
  first: BoundaryLimits['first'],
  tokens: TokenCounter,
): number {
  let end = 0
  let sum = 0
  for (const { start, end: next } of firstTransactions(body)) {
    sum += countMessages(tokens, body.slice(start, next))
    const room = start === 0 && body[0]?.role === 'user' ? first.message : first.tokens
    if (start >= first.messages || next > limit || sum > room) break
    end = next
  }
  return end
}
