import type { BaseLanguageModelInput } from '@langchain/core/language_models/base'
import { BaseChatModel, SimpleChatModel } from '@langchain/core/language_models/chat_models'
import { AIMessageChunk, type BaseMessage, RemoveMessage } from '@langchain/core/messages'
import {
  type CompletionModel,
  countMessages,
  isInstruction,
  type Message,
  messageText,
  type TokenCounter,
} from '@palimpsest/core'
import { summarizationMiddleware } from 'langchain'
import manifest from 'langchain/package.json' with { type: 'json' }
import { tailWithin } from '../bounds.ts'
import { createLangChainTranscript } from './langchain-transcript.ts'
import { packageLabel, peerArm } from './peer-arm.ts'
import { summarizeBuffer } from './summarize-buffer.ts'

const PREFIX = 'Here is a summary of the conversation to date:'
/** Kept behind a summary, as a share of the trigger: 0.3 and 0.8 of the window in LangChain's guide. */
const KEEP_SHARE = 0.3 / 0.8
/** Lengths of a summary by the offline summariser, as our own engines have them: part of the budget, and tokens. */
const SUMMARY_SHARE = 0.3
const SUMMARY_MAX = 10_000

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
    const summariser = model === undefined ? offline(budget, tokens) : online(model)
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
      return {
        messages: [...head, ...withSummary(state.map(read), room, tokens)],
        compacted: update?.messages !== undefined,
        warnings: summariser.takeFailure() ? ['summariser-failed'] : [],
      }
    }
  },
)

/** The summary and the tail that fits beside it. A summary that fills the room alone cannot be shown. */
function withSummary(messages: readonly Message[], room: number, tokens: TokenCounter): Message[] {
  const summary = messages.slice(0, 1).filter(isSummary)
  const left = room - countMessages(tokens, summary)
  if (left < 0) return tailWithin(messages, room, tokens)
  return [...summary, ...tailWithin(messages.slice(summary.length), left, tokens)]
}

function isSummary(message: Message): boolean {
  return message.role === 'user' && messageText(message).startsWith(PREFIX)
}

interface Summariser {
  readonly model: ChatModel
  readonly summaryPrompt?: string
  /** Whether an answer failed since the last call: the middleware puts the error's text where the summary should be. */
  takeFailure(): boolean
}

/** The middleware asks with the bare messages, which the summariser reads back from their text. */
function offline(budget: number, tokens: TokenCounter): Summariser {
  const maxTokens = Math.min(SUMMARY_MAX, Math.floor(budget * SUMMARY_SHARE))
  return {
    model: new ChatModel(async (buffer) => summarizeBuffer({ buffer, prefix: PREFIX, maxTokens, tokens })),
    summaryPrompt: '{messages}',
    takeFailure: () => false,
  }
}

function online(model: CompletionModel): Summariser {
  let failed = false
  const answer = async (prompt: string): Promise<string> => {
    failed = true
    const { text } = await model.complete({ prompt })
    failed = false
    return text
  }
  return {
    model: new ChatModel(answer),
    takeFailure() {
      const result = failed
      failed = false
      return result
    },
  }
}

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

class ChatModel extends SimpleChatModel {
  readonly #answer: (prompt: string) => Promise<string>

  constructor(answer: (prompt: string) => Promise<string>) {
    super({})
    this.#answer = answer
  }

  override _llmType(): string {
    return 'palimpsest-bench'
  }

  override _call(messages: BaseMessage[]): Promise<string> {
    return this.#answer(messages.map(({ text }) => text).join('\n\n'))
  }

  /** Past LangChain's callbacks: a tracer that the environment asks for (`LANGSMITH_TRACING`) would send sessions away. */
  override async invoke(input: BaseLanguageModelInput): Promise<AIMessageChunk> {
    const messages = BaseChatModel._convertInputToPromptValue(input).toChatMessages()
    return new AIMessageChunk(await this._call(messages))
  }
}
