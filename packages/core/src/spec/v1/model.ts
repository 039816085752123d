import type { CachePlan } from './cache-planner.ts'
import type { AssistantMessage, Message, ToolSchema, Usage } from './message.ts'

export type FinishReason = 'stop' | 'length' | 'content-filter' | 'tool-calls' | 'other'

export interface CompletionCall {
  readonly system?: string
  readonly prompt: string
  /** Upper bound for the answer, in tokens. Default: the provider's. */
  readonly maxOutputTokens?: number
  /** Aborts the call, which rejects with `signal.reason`. */
  readonly signal?: AbortSignal
}

export interface Completion {
  readonly text: string
  readonly finishReason: FinishReason
  readonly usage?: Usage
}

/** A compaction that a provider wrote. */
export interface NativeCompaction {
  /** Its text, for people and other providers. Null if only the provider can read it. */
  readonly text: string | null
  /** The provider's own form, for the message that replaces the compacted ones. */
  readonly providerData: Readonly<Record<string, unknown>>
  readonly usage?: Usage
}

/**
 * A model that answers one prompt with one text; engines use it to summarise and extract. `complete` rejects with a
 * `ModelError` whose code names the kind of failure.
 */
export interface CompletionModel {
  /** Provider and model name, for people. */
  readonly name: string
  /** The model's window in tokens, prompt and answer together. Absent if unknown. */
  readonly contextLength?: number
  complete(call: CompletionCall): Promise<Completion>
  /**
   * Compacts a conversation, system prompt included, with the provider's own method. Rejects with a `ModelError`.
   * Default: the provider has none.
   */
  compact?(call: Pick<ChatCall, 'messages' | 'signal'>): Promise<NativeCompaction>
  /**
   * Continues a conversation, if this model also answers the session. An engine can then extend the last prompt, which
   * the provider has in its cache. Default: every request is a prompt of its own.
   */
  chat?(call: ChatCall): Promise<ChatResponse>
}

export interface ChatCall {
  readonly messages: readonly Message[]
  readonly tools?: readonly ToolSchema[]
  /** The cache plan for these messages, for a model that renders breakpoints itself. Default: none. */
  readonly cache?: CachePlan | null
  /** Upper bound for the answer, in tokens. Default: the provider's. */
  readonly maxOutputTokens?: number
  /** Aborts the call, which rejects with `signal.reason`. */
  readonly signal?: AbortSignal
  /** Receives each piece of text as it arrives. Default: the answer is not streamed. */
  readonly onText?: (text: string) => void
}

export interface ChatResponse {
  readonly message: AssistantMessage
  readonly finishReason: FinishReason
  readonly usage?: Usage
}

/** A model that continues a conversation and may call tools. Rejects with a `ModelError`. */
export interface ChatModel {
  /** Provider and model name, for people. */
  readonly name: string
  /** The model's window in tokens. Absent if unknown. */
  readonly contextLength?: number
  chat(call: ChatCall): Promise<ChatResponse>
}

/** Counts tokens. The same input always gives the same count. */
export interface TokenCounter {
  countText(text: string): number
  /** Tokens of one message with its envelope: role, tool calls, images, opaque provider data. */
  countMessage(message: Message): number
  countTools(tools: readonly ToolSchema[]): number
  /** Stores a token count for a frozen message that was not counted yet. Default: not supported. */
  remember?(message: Message, tokens: number): void
  /** The measured difference between these counts and the provider's. */
  readonly calibration?: Calibration
}

/** Learns how a provider's counts differ from ours. It corrects estimates, never counts. */
export interface Calibration {
  /** Records that the provider reported `reported` tokens for a prompt counted as `counted`. */
  observe(counted: number, reported: number): void
  /** Estimates the provider's count for `counted` of our tokens. */
  apply(counted: number): number
}

/** The source of time, injected so that the same input gives the same output. */
export interface Clock {
  /** The time, in milliseconds since the epoch. */
  now(): number
}
