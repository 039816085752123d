import {
  countMessages,
  findLastUser,
  isBridge,
  isInstruction,
  isSummary,
  lastTransactions,
  type Message,
  readSummary,
  type TokenCounter,
} from '@palimpsest/core'

export interface SplitMessages {
  readonly system: Message | undefined
  readonly middle: readonly Message[]
  readonly previousSummary: string | undefined
  readonly request: Message | undefined
  readonly tail: readonly Message[]
}

/** Splits messages into kept and summarised ones. The newest transaction is always kept, whatever its size. */
export function splitMessages(
  messages: readonly Message[],
  tailTokens: number,
  tokens: TokenCounter,
): SplitMessages {
  const system = isInstruction(messages[0]) ? messages[0] : undefined
  const body = system === undefined ? messages : messages.slice(1)
  const tailStart = findTailStart(body, tailTokens, tokens)
  const lastUser = findLastUser(body)
  const summaries = body.slice(0, tailStart).flatMap((message) => readSummary(message) ?? [])
  const middle = body.filter(
    (message, index) => index < tailStart && index !== lastUser && !isSummary(message) && !isBridge(message),
  )
  return {
    system,
    middle,
    previousSummary: summaries.length === 0 ? undefined : summaries.join('\n\n'),
    request: lastUser !== -1 && lastUser < tailStart ? body[lastUser] : undefined,
    tail: body.slice(tailStart),
  }
}

function findTailStart(body: readonly Message[], tailTokens: number, tokens: TokenCounter): number {
  let start = body.length
  let sum = 0
  for (const transaction of lastTransactions(body)) {
    const size = countMessages(tokens, body.slice(transaction.start, transaction.end))
    const isOwn = transaction.end - transaction.start === 1 && isOwnMessage(body[transaction.start])
    if (start < body.length && (sum + size > tailTokens || isOwn)) break
    sum += size
    start = transaction.start
  }
  return start
}

function isOwnMessage(message: Message | undefined): boolean {
  return message !== undefined && (isSummary(message) || isBridge(message))
}
