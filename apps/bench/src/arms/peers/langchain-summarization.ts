import type { BaseLanguageModelInput } from '@langchain/core/language_models/base'
import { BaseChatModel, SimpleChatModel } from '@langchain/core/language_models/chat_models'
import { AIMessage, AIMessageChunk, type BaseMessage, RemoveMessage } from '@langchain/core/messages'
import { type CompletionModel, looseOf, type Message, messageText } from '@palimpsest/core'
import { createSummarizationMiddleware } from 'deepagents'
import deepAgents from 'deepagents/package.json' with { type: 'json' }
import { summarizationMiddleware } from 'langchain'
import langChain from 'langchain/package.json' with { type: 'json' }
import { cutToBudget } from '../bounds.ts'
import { createLangChainTranscript } from './langchain-transcript.ts'
import { packageLabel, peerArm } from './peer-arm.ts'

const PREFIX = 'Here is a summary of the conversation to date:'
/** Size of the kept tail, as a share of the trigger: 0.3 and 0.8 of the window in LangChain's guide. */
const KEEP_SHARE = 0.3 / 0.8

/**
 * LangChain's summarising middleware, driven as its agent does. Two defaults are changed: twenty kept messages exceed a
 * small budget, and a summariser that gets only the last 4,000 tokens (`trimTokensToSummarize`) loses the rest.
 */
export const langChainSummarization = peerArm(
  {
    name: 'langchain summarization',
    description:
      `summarizationMiddleware of ${packageLabel(langChain)}: trigger at the budget, keep 3/8 of it, ` +
      'trimTokensToSummarize off; then the summary and the tail that fits',
  },
  ({ budget, tokens, model }) => {
    const { append, read, count } = createLangChainTranscript(tokens)
    const { hook, contextOf } = createMiddleware(new ChatModel(model), count)
    let state: BaseMessage[] = []
    return async (transcript, head, room) => {
      state.push(...append(transcript).filter(({ type }) => type !== 'system'))
      const update = await hook({ messages: state }, { context: contextOf(room) })
      // LangChain's reducer: the update starts by removing everything.
      if (update?.messages !== undefined)
        state = update.messages.filter((message) => !RemoveMessage.isInstance(message))
      const shown = state.map(read)
      return {
        ...cutToBudget({ head, shown, hasSummary: isSummary(shown[0]) }, { budget, tokens }),
        compacted: update?.messages !== undefined,
      }
    }
  },
)

const isSummary = (message: Message | undefined): boolean =>
  message?.role === 'user' && messageText(message).startsWith(PREFIX)

function createMiddleware(model: ChatModel, tokenCounter: (messages: readonly BaseMessage[]) => number) {
  const options = {
    model,
    tokenCounter,
    summaryPrefix: PREFIX,
    trimTokensToSummarize: Number.MAX_SAFE_INTEGER,
  }
  // LangChain derives its options' type from a zod schema, which `exactOptionalPropertyTypes` turns into never.
  const { beforeModel, contextSchema } = summarizationMiddleware(options as never)
  if (typeof beforeModel !== 'function' || contextSchema === undefined)
    throw new TypeError('the middleware of this version of langchain has no hook before the model')
  return {
    hook: beforeModel,
    contextOf: (room: number) =>
      contextSchema.parse({ trigger: { tokens: room }, keep: { tokens: Math.floor(room * KEEP_SHARE) } }),
  }
}

/** Size of the kept tail, as a share of the trigger: 0.1 and 0.85 of the window by default. */
const DEEP_KEEP_SHARE = 0.1 / 0.85

const backend = { write: () => ({}), edit: () => ({}) }

/**
 * The summarising middleware of deepagents, driven as its agent does: at the model call, with a state that keeps
 * everything.
 */
export const deepAgentsSummarization = peerArm(
  {
    name: 'deepagents summarization',
    description:
      `createSummarizationMiddleware of ${packageLabel(deepAgents)}: trigger at the budget, keep 2/17 of it; ` +
      'then the summary and the tail that fits',
  },
  ({ budget, tokens, model }) => {
    const { append, read } = createLangChainTranscript(tokens)
    const summariser = new ChatModel(model)
    const messages: BaseMessage[] = []
    let state: object = { _summarizationSessionId: 'bench' }
    let middleware: ReturnType<typeof createSummarizationMiddleware> | undefined
    return async (transcript, head, room) => {
      messages.push(...append(transcript).filter(({ type }) => type !== 'system'))
      middleware ??= createSummarizationMiddleware({
        model: summariser,
        backend: backend as never,
        trigger: { type: 'tokens', value: room },
        keep: { type: 'tokens', value: Math.floor(room * DEEP_KEEP_SHARE) },
      })
      const sent: BaseMessage[] = []
      const handler = async (request: { readonly messages: readonly BaseMessage[] }) => {
        sent.splice(0, sent.length, ...request.messages)
        return new AIMessage('')
      }
      const answer: unknown = await middleware.wrapModelCall?.(
        { messages: [...messages], state, tools: [], model: summariser } as never,
        handler as never,
      )
      const { update } = looseOf(answer)
      if (update !== undefined) state = { ...state, ...looseOf(update) }
      const shown = sent.map(read)
      return {
        ...cutToBudget({ head, shown, hasSummary: '_summarizationEvent' in state }, { budget, tokens }),
        compacted: update !== undefined,
      }
    }
  },
)

class ChatModel extends SimpleChatModel {
  readonly #model: CompletionModel

  constructor(model: CompletionModel) {
    super({})
    this.#model = model
  }

  override _llmType(): string {
    return 'palimpsest-bench'
  }

  override async _call(messages: BaseMessage[]): Promise<string> {
    const prompt = messages.map(({ text }) => text).join('\n\n')
    return (await this.#model.complete({ prompt })).text
  }

  /**
   * Bypasses LangChain's callbacks: a tracer enabled by the environment (`LANGSMITH_TRACING`) would upload sessions.
   */
  override async invoke(input: BaseLanguageModelInput): Promise<AIMessageChunk> {
    const messages = BaseChatModel._convertInputToPromptValue(input).toChatMessages()
    return new AIMessageChunk(await this._call(messages))
  }
}
