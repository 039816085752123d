import type { BaseLanguageModelInput } from '@langchain/core/language_models/base'
import { BaseChatModel, SimpleChatModel } from '@langchain/core/language_models/chat_models'
import { AIMessageChunk, type BaseMessage } from '@langchain/core/messages'
import type { CompletionModel, TokenCounter } from '@palimpsest/core'
import { SUMMARY_MAX, SUMMARY_SHARE } from './peer-arm.ts'
import { summarizeBuffer } from './summarize-buffer.ts'

export interface Summariser {
  readonly model: ChatModel
  readonly summaryPrompt?: string
  /** Whether an answer failed since the last call. */
  takeFailure(): boolean
}

export interface SummariserInput {
  readonly budget: number
  readonly tokens: TokenCounter
  /** Default: the offline summariser. */
  readonly model?: CompletionModel | undefined
  /** The place of the conversation in the middleware's prompt for a summary. */
  readonly place: string
  /** The beginning of a summary in a prompt. */
  readonly prefix: string
}

/** Offline, the middleware asks with the bare messages, which the summariser reads back from their text. */
export function createSummariser({ budget, tokens, model, place, prefix }: SummariserInput): Summariser {
  if (model !== undefined) return online(model)
  const maxTokens = Math.min(SUMMARY_MAX, Math.floor(budget * SUMMARY_SHARE))
  return {
    model: new ChatModel(async (buffer) => summarizeBuffer({ buffer, prefix, maxTokens, tokens })),
    summaryPrompt: place,
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
