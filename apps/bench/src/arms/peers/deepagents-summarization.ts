import { AIMessage, type BaseMessage } from '@langchain/core/messages'
import { countMessages, isInstruction, looseOf } from '@palimpsest/core'
import { createSummarizationMiddleware } from 'deepagents'
import manifest from 'deepagents/package.json' with { type: 'json' }
import { cutToBudget } from '../bounds.ts'
import { createSummariser } from './langchain-summariser.ts'
import { createLangChainTranscript } from './langchain-transcript.ts'
import { packageLabel, peerArm } from './peer-arm.ts'

const PREFIX = 'You are in the middle of a conversation that has been summarized.'
/** Kept behind a summary, as a share of the trigger: 0.1 and 0.85 of the window by default. */
const KEEP_SHARE = 0.1 / 0.85

/** Takes the history that the middleware stores as a file. */
const backend = { write: () => ({}), edit: () => ({}) }

/** The summarising of deepagents, driven as its agent does: at the model call, with a state that keeps everything. */
export const deepAgentsSummarization = peerArm(
  {
    name: 'deepagents summarization',
    description:
      `createSummarizationMiddleware of ${packageLabel(manifest)}: trigger at the budget, keep 2/17 of it, ` +
      'same offline summariser; then the summary and the tail that fits',
  },
  ({ budget, tokens, model }) => {
    const { append, read } = createLangChainTranscript(tokens)
    const summariser = createSummariser({ budget, tokens, model, place: '{conversation}', prefix: PREFIX })
    const messages: BaseMessage[] = []
    let state: object = { _summarizationSessionId: 'bench' }
    let middleware: ReturnType<typeof createSummarizationMiddleware> | undefined
    return async (transcript) => {
      const head = transcript.filter(isInstruction)
      const room = Math.max(1, budget - countMessages(tokens, head))
      messages.push(...append(transcript).filter(({ type }) => type !== 'system'))
      middleware ??= createSummarizationMiddleware({
        model: summariser.model,
        backend: backend as never,
        trigger: { type: 'tokens', value: room },
        keep: { type: 'tokens', value: Math.floor(room * KEEP_SHARE) },
        ...(summariser.summaryPrompt !== undefined && { summaryPrompt: summariser.summaryPrompt }),
      })
      const sent: BaseMessage[] = []
      const handler = async (request: { readonly messages: readonly BaseMessage[] }) => {
        sent.splice(0, sent.length, ...request.messages)
        return new AIMessage('')
      }
      const answer: unknown = await middleware.wrapModelCall?.(
        { messages: [...messages], state, tools: [], model: summariser.model } as never,
        handler as never,
      )
      const { update } = looseOf(answer)
      if (update !== undefined) state = { ...state, ...looseOf(update) }
      const shown = sent.map(read)
      return {
        ...cutToBudget({ head, shown, hasSummary: '_summarizationEvent' in state }, { budget, tokens }),
        compacted: update !== undefined,
        warnings: summariser.takeFailure() ? ['summariser-failed'] : [],
      }
    }
  },
)
