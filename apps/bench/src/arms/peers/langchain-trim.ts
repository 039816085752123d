import { type BaseMessage, trimMessages } from '@langchain/core/messages'
import manifest from '@langchain/core/package.json' with { type: 'json' }
import { createLangChainTranscript } from './langchain-transcript.ts'
import { packageLabel, peerArm } from './peer-arm.ts'

/**
 * LangChain's own truncation. Its guide for agents keeps the whole history and trims what each request gets.
 *
 * `startOn` also allows an assistant message: with `'human'` alone, as in examples of chats, nothing at all is left
 * whenever a turn of an agent is longer than the budget. `endOn` of the same examples only drops answers from the end.
 */
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

/**
 * The end of a conversation that is just above a budget, behind the first message. Trimming it gives what trimming the
 * whole gives, without its quadratic time.
 */
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
