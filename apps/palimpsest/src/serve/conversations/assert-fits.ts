import { countMessages, type Message, type TokenCounter } from '@palimpsest/core'
import { ServiceFault } from '../http/service-fault.ts'

/**
 * Refuses what no compaction can help: the system prompt and the question are in every prompt as they are. Nothing has
 * been stored by then.
 *
 * @param windowTokens the model's window.
 * @throws ServiceFault 422.
 */
export function assertFits(
  messages: readonly [system: Message, question: Message],
  windowTokens: number,
  tokens: TokenCounter,
): void {
  const [system, question] = messages
  const counts = { query: tokens.countMessage(question), relevantCodes: tokens.countMessage(system) }
  const total = countMessages(tokens, messages)
  if (total <= windowTokens) return
  const path = counts.query >= counts.relevantCodes ? 'query' : 'relevantCodes'
  throw new ServiceFault(
    422,
    'context-overflow',
    `the query takes about ${counts.query} tokens and the system prompt with its code ${counts.relevantCodes}, ` +
      `which is more than the window of ${windowTokens}; send less, or serve with a larger --window`,
    { path },
  )
}
