import {
  compactedResult,
  countMessages,
  defineContextEngine,
  isInstruction,
  keptResult,
  type Message,
  type TokenCounter,
  toolTransactions,
} from '@palimpsest/core'

/** The floor: the system prompt and as much of the end as fits into the window. What is cut is gone. */
export const truncate = defineContextEngine({
  name: 'truncate',
  apiVersion: 1,
  description: 'Cuts the beginning of the conversation off',
  create: (_, { contextLength, tokens }) => ({
    shouldCompress: ({ promptTokens = 0 } = {}) => promptTokens > contextLength,
    async compress({ messages }) {
      const after = tailWithin(messages, contextLength, tokens)
      if (after.length === messages.length) return keptResult('unchanged', 'fits', messages, tokens)
      return compactedResult({ before: messages, after, tokens, reason: 'tail' })
    },
  }),
})

/** From the last turn back: whole calls with their results; the last user message stays whatever it costs. */
function tailWithin(messages: readonly Message[], budget: number, tokens: TokenCounter): Message[] {
  const head = messages.filter(isInstruction)
  const rest = messages.filter((message) => !isInstruction(message))
  const lastUser = rest.findLastIndex(({ role }) => role === 'user')
  let left = budget - countMessages(tokens, head)
  let from = rest.length
  for (const { start, end } of toolTransactions(rest).reverse()) {
    left -= countMessages(tokens, rest.slice(start, end))
    if (left < 0 && start < lastUser) break
    from = start
  }
  return [...head, ...rest.slice(from)]
}
