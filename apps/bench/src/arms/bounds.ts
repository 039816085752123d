import {
  countMessages,
  isInstruction,
  lastTransactions,
  type Message,
  type TokenCounter,
} from '@palimpsest/core'
import { type ProjectInput, projectionArm } from './arm.ts'

export const full = projectionArm(
  { name: 'full', description: 'the whole conversation, whatever the budget', kind: 'bound' },
  (transcript) => transcript,
)

export const truncate = projectionArm(
  {
    name: 'truncate',
    description: 'system prompt, last user message, and as much of the end as fits',
    kind: 'bound',
  },
  (transcript, { budget, tokens }) => tailWithin(transcript, budget, tokens),
)

export function tailWithin(messages: readonly Message[], budget: number, tokens: TokenCounter): Message[] {
  const head = messages.filter(isInstruction)
  const rest = messages.filter((message) => !isInstruction(message))
  const lastUser = rest.findLastIndex(({ role }) => role === 'user')
  const request = rest.slice(lastUser, lastUser + 1)
  const requestTokens = countMessages(tokens, request)
  let left = budget - countMessages(tokens, head)
  let from = rest.length
  for (const { start, end } of lastTransactions(rest)) {
    left -= countMessages(tokens, rest.slice(start, end))
    const beside = start <= lastUser ? 0 : requestTokens
    if (left < beside && end < rest.length) break
    from = start
  }
  return from > lastUser ? [...head, ...request, ...rest.slice(from)] : [...head, ...rest.slice(from)]
}

interface WouldSend {
  readonly head: readonly Message[]
  readonly shown: readonly Message[]
  readonly hasSummary: boolean
}

export function cutToBudget({ head, shown, hasSummary }: WouldSend, { budget, tokens }: ProjectInput) {
  const kept = hasSummary ? shown.slice(0, 1) : []
  const room = budget - countMessages(tokens, head)
  const left = room - countMessages(tokens, kept)
  const tail =
    left < 0
      ? tailWithin(shown, room, tokens)
      : [...kept, ...tailWithin(shown.slice(kept.length), left, tokens)]
  return { messages: [...head, ...tail], needed: countMessages(tokens, [...head, ...shown]) }
}
