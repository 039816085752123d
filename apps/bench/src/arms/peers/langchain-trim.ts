import { type BaseMessage, trimMessages } from '@langchain/core/messages'
import manifest from '@langchain/core/package.json' with { type: 'json' }
import { createLangChainTranscript } from './langchain-transcript.ts'
import { packageLabel, peerArm } from './peer-arm.ts'

/** `startOn` allows an assistant message too: with `'human'` alone nothing is left when a turn is longer than the budget. */
export const langChainTrim = peerArm(
  {
    name: 'langchain trim',
    description: `trimMessages of ${packageLabel(manifest)}: strategy last, includeSystem, startOn human or ai`,
  },
  ({ budget, tokens }) => {
    const { append, read, count } = createLangChainTranscript(tokens)
    const state: BaseMessage[] = []
    return async (transcript) => {
      state.push(...append(transcript))
      const trimmed: readonly (BaseMessage | undefined)[] = await trimMessages(
        lastMessages(state, budget, count),
        {
          maxTokens: budget,
          tokenCounter: count,
          strategy: 'last',
          includeSystem: true,
          startOn: ['human', 'ai'],
        },
      )
      // When not even the last message fits, 1.4.0 returns a list that holds nothing but undefined.
      const messages = trimmed.filter((message) => message !== undefined).map(read)
      return { messages, compacted: messages.length < transcript.length, warnings: [] }
    }
  },
)

/** The end of a conversation just above a budget, and its first message: trimming the whole takes quadratic time. */
export function lastMessages(
  messages: readonly BaseMessage[],
  budget: number,
  count: (messages: readonly BaseMessage[]) => number,
): BaseMessage[] {
  let left = budget
  let from = messages.length
  while (from > 1 && left >= 0) left -= count(messages.slice(--from, from + 1))
  return [...messages.slice(0, 1), ...messages.slice(Math.max(1, from))]
}
