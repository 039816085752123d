import { countMessages, type Message } from '@palimpsest/core'
import { pruneMessages } from 'ai'
import manifest from 'ai/package.json' with { type: 'json' }
import { tailWithin } from '../bounds.ts'
import { toModelMessages } from './model-messages.ts'
import { packageLabel, peerArm } from './peer-arm.ts'

/** The AI SDK's pruning as its guide has it. It has no budget: what is still above it is cut from the front of the request. */
export const aiSdkPrune = peerArm(
  {
    name: 'ai-sdk prune',
    description: `pruneMessages of ${packageLabel(manifest)} above the budget: reasoning all, toolCalls before-last-3-messages; then the tail that fits`,
  },
  ({ budget, tokens }) => {
    let state: readonly Message[] = []
    let seen = 0
    return (transcript) => {
      state = [...state, ...transcript.slice(seen)]
      seen = transcript.length
      const before = state
      if (countMessages(tokens, state) > budget) {
        const { messages, read } = toModelMessages(state)
        state = read(
          pruneMessages({
            messages,
            reasoning: 'all',
            toolCalls: 'before-last-3-messages',
            emptyMessages: 'remove',
          }),
        )
      }
      // A message may also have lost some of its parts: what was not changed is the message that it was.
      const compacted =
        state.length < before.length || state.some((message, index) => message !== before[index])
      return { messages: tailWithin(state, budget, tokens), compacted, warnings: [] }
    }
  },
)
