import type { BaseMessage } from '@langchain/core/messages'
import { countMessages, isInstruction } from '@palimpsest/core'
import { ClearToolUsesEdit, type ContextEdit } from 'langchain'
import manifest from 'langchain/package.json' with { type: 'json' }
import { tailWithin } from '../bounds.ts'
import { createLangChainTranscript } from './langchain-transcript.ts'
import { packageLabel, peerArm } from './peer-arm.ts'

/**
 * LangChain's context editing with its default of three results. What is above the budget is cut from the front of the
 * request.
 */
export const langChainClearTools = peerArm(
  {
    name: 'langchain clear tools',
    description: `ClearToolUsesEdit of ${packageLabel(manifest)}: trigger at the budget, keep 3 results; then the tail that fits`,
  },
  ({ budget, tokens }) => {
    const { append, read, count } = createLangChainTranscript(tokens)
    const state: BaseMessage[] = []
    return async (transcript) => {
      const head = transcript.filter(isInstruction)
      state.push(...append(transcript).filter(({ type }) => type !== 'system'))
      const before = [...state]
      const room = Math.max(1, budget - countMessages(tokens, head))
      const edit: ContextEdit = new ClearToolUsesEdit({ trigger: { tokens: room } })
      await edit.apply({ messages: state, countTokens: count })
      return {
        messages: tailWithin([...head, ...state.map(read)], budget, tokens),
        compacted: state.some((message, index) => message !== before[index]),
        warnings: [],
      }
    }
  },
)
