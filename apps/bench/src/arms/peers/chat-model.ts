import type { BaseLanguageModelInput } from '@langchain/core/language_models/base'
import { BaseChatModel, SimpleChatModel } from '@langchain/core/language_models/chat_models'
import { AIMessageChunk, type BaseMessage } from '@langchain/core/messages'

/** A LangChain chat model that answers a prompt with a function. */
export class ChatModel extends SimpleChatModel {
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
