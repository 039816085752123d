import { type BaseMessage, trimMessages } from '@langchain/core/messages'
import core from '@langchain/core/package.json' with { type: 'json' }
import { ClearToolUsesEdit, type ContextEdit } from 'langchain'
import langChain from 'langchain/package.json' with { type: 'json' }
import { tailWithin } from '../bounds.ts'
import { createLangChainTranscript } from './langchain-transcript.ts'
import { packageLabel, peerArm } from './peer-arm.ts'

/** `startOn` allows an assistant message too: with `'human'` alone nothing is left when a turn is longer than the budget. */
export const langChainTrim = peerArm(
  {
    name: 'langchain trim',
    description: `trimMessages of ${packageLabel(core)}: strategy last, includeSystem, startOn human or ai`,
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
      return { messages, compacted: messages.length < transcript.length }
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

/**
 * LangChain's context editing with its default of three results. What is above the budget is cut from the front of the
 * request.
 */
export const langChainClearTools = peerArm(
  {
    name: 'langchain clear tools',
    description: `ClearToolUsesEdit of ${packageLabel(langChain)}: trigger at the budget, keep 3 results; then the tail that fits`,
  },
  ({ budget, tokens }) => {
    const { append, read, count } = createLangChainTranscript(tokens)
    const state: BaseMessage[] = []
    return async (transcript, head, room) => {
      state.push(...append(transcript).filter(({ type }) => type !== 'system'))
      const before = [...state]
      const edit: ContextEdit = new ClearToolUsesEdit({ trigger: { tokens: room } })
      await edit.apply({ messages: state, countTokens: count })
      return {
        messages: tailWithin([...head, ...state.map(read)], budget, tokens),
        compacted: state.some((message, index) => message !== before[index]),
      }
    }
  },
)
