import { type BaseMessage, RemoveMessage } from '@langchain/core/messages'
import { countMessages, isInstruction, type Message, messageText } from '@palimpsest/core'
import { summarizationMiddleware } from 'langchain'
import manifest from 'langchain/package.json' with { type: 'json' }
import { cutToBudget } from '../bounds.ts'
import { createSummariser, type Summariser } from './langchain-summariser.ts'
import { createLangChainTranscript } from './langchain-transcript.ts'
import { packageLabel, peerArm } from './peer-arm.ts'

const PREFIX = 'Here is a summary of the conversation to date:'
/** Kept behind a summary, as a share of the trigger: 0.3 and 0.8 of the window in LangChain's guide. */
const KEEP_SHARE = 0.3 / 0.8

/**
 * LangChain's summarising, driven as its agent does. Two defaults would harm it here: twenty messages kept are more than a
 * small budget holds, and a summariser that is shown the last 4,000 tokens (`trimTokensToSummarize`) loses the rest unseen.
 */
export const langChainSummarization = peerArm(
  {
    name: 'langchain summarization',
    description:
      `summarizationMiddleware of ${packageLabel(manifest)}: trigger at the budget, keep 3/8 of it, ` +
      'trimTokensToSummarize off, same offline summariser; then the summary and the tail that fits',
  },
  ({ budget, tokens, model }) => {
    const { append, read, count } = createLangChainTranscript(tokens)
    const summariser = createSummariser({ budget, tokens, model, place: '{messages}', prefix: PREFIX })
    const { hook, contextOf } = createMiddleware(summariser, count)
    let state: BaseMessage[] = []
    return async (transcript) => {
      const head = transcript.filter(isInstruction)
      const room = Math.max(1, budget - countMessages(tokens, head))
      state.push(...append(transcript).filter(({ type }) => type !== 'system'))
      const update = await hook({ messages: state }, { context: contextOf(room) })
      // The reducer of LangChain's agents: the update begins with the removal of everything.
      if (update?.messages !== undefined)
        state = update.messages.filter((message) => !RemoveMessage.isInstance(message))
      const shown = state.map(read)
      return {
        ...cutToBudget({ head, shown, hasSummary: isSummary(shown[0]) }, { budget, tokens }),
        compacted: update?.messages !== undefined,
        warnings: summariser.takeFailure() ? ['summariser-failed'] : [],
      }
    }
  },
)

const isSummary = (message: Message | undefined): boolean =>
  message?.role === 'user' && messageText(message).startsWith(PREFIX)

function createMiddleware(
  { model, summaryPrompt }: Summariser,
  tokenCounter: (messages: readonly BaseMessage[]) => number,
) {
  const options = {
    model,
    tokenCounter,
    summaryPrefix: PREFIX,
    trimTokensToSummarize: Number.MAX_SAFE_INTEGER,
    ...(summaryPrompt !== undefined && { summaryPrompt }),
  }
  // LangChain derives the type of its options from a zod schema, which `exactOptionalPropertyTypes` turns into never.
  const { beforeModel, contextSchema } = summarizationMiddleware(options as never)
  if (typeof beforeModel !== 'function' || contextSchema === undefined)
    throw new TypeError('the middleware of this version of langchain has no hook before the model')
  return {
    hook: beforeModel,
    contextOf: (room: number) =>
      contextSchema.parse({ trigger: { tokens: room }, keep: { tokens: Math.floor(room * KEEP_SHARE) } }),
  }
}
