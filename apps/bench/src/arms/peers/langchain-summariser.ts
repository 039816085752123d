import type { BaseLanguageModelInput } from '@langchain/core/language_models/base'
import { BaseChatModel, SimpleChatModel } from '@langchain/core/language_models/chat_models'
import { AIMessageChunk, type BaseMessage } from '@langchain/core/messages'
import { type CompletionModel, countMessages, type Message, type TokenCounter } from '@palimpsest/core'
import { tailWithin } from '../bounds.ts'
import { summarizeBuffer } from './summarize-buffer.ts'

/** Lengths of a summary by the offline summariser, as our own engines have them: part of the budget, and tokens. */
const SUMMARY_SHARE = 0.3
const SUMMARY_MAX = 10_000

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

/** The summary, which is the first message, and the tail that fits beside it. One that fills the room alone cannot be shown. */
export function summaryAndTail(messages: readonly Message[], room: number, tokens: TokenCounter): Message[] {
  const [summary] = messages
  const left = room - countMessages(tokens, messages.slice(0, 1))
  if (summary === undefined || left < 0) return tailWithin(messages, room, tokens)
  return [summary, ...tailWithin(messages.slice(1), left, tokens)]
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
