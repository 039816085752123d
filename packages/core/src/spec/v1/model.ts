import type { CachePlan } from './cache-planner.ts'
import type { AssistantMessage, Message, ToolSchema, Usage } from './message.ts'

export type FinishReason = 'stop' | 'length' | 'content-filter' | 'tool-calls' | 'other'

export interface CompletionCall {
  readonly system?: string
  readonly prompt: string
  /** Upper bound for the answer, in tokens. Default: the provider's. */
  readonly maxOutputTokens?: number
  /** Aborts the call; the promise then rejects with `signal.reason`. */
  readonly signal?: AbortSignal
}

export interface Completion {
  readonly text: string
  readonly finishReason: FinishReason
  readonly usage?: Usage
}

/** A compaction that a provider wrote. */
export interface NativeCompaction {
  /** What it says, for people and for other providers. Null when only the provider reads it. */
  readonly text: string | null
  /** The provider's own form, for the message that takes the place of those that were compacted. */
  readonly providerData: Readonly<Record<string, unknown>>
  readonly usage?: Usage
}

/**
 * A model that answers one prompt with one text: what engines summarise and extract with.
 * `complete` rejects with a `ModelError` whose code says what kind of failure it was.
 */
export interface CompletionModel {
  /** For people: provider and model name. */
  readonly name: string
  /** The model's window in tokens, prompt and answer together. Unknown if absent. */
  readonly contextLength?: number
  complete(call: CompletionCall): Promise<Completion>
  /**
   * The provider's own compaction of a conversation, its system prompt included. Rejects with a `ModelError`. Default: the provider
   * has none.
   */
  compact?(call: Pick<ChatCall, 'messages' | 'signal'>): Promise<NativeCompaction>
  /**
   * Goes on with a conversation, where this is the model that answers the session. An engine may then ask with the prompt as it was sent
   * last, which the provider reads from its cache, and one more message. Default: every request is a prompt of its own.
   */
  chat?(call: ChatCall): Promise<ChatResponse>
}

export interface ChatCall {
  readonly messages: readonly Message[]
  readonly tools?: readonly ToolSchema[]
  /** The plan for these messages, for a model that sends breakpoints in a request of its own shape. Default: none. */
  readonly cache?: CachePlan | null
  /** Upper bound for the answer, in tokens. Default: the provider's. */
  readonly maxOutputTokens?: number
  /** Aborts the call; the promise then rejects with `signal.reason`. */
  readonly signal?: AbortSignal
  /** Called with each piece of text as it arrives. Without it the answer comes whole. */
  readonly onText?: (text: string) => void
}

export interface ChatResponse {
  readonly message: AssistantMessage
  readonly finishReason: FinishReason
  readonly usage?: Usage
}

/** A model that continues a conversation and may call tools. Rejects with a `ModelError`. */
export interface ChatModel {
  /** For people: provider and model name. */
  readonly name: string
  /** The model's window in tokens. Unknown if absent. */
  readonly contextLength?: number
  chat(call: ChatCall): Promise<ChatResponse>
}

/** Counts tokens. Deterministic: the same input gives the same count. */
export interface TokenCounter {
  /** Tokens of a bare text. */
  countText(text: string): number
  /** Tokens of one message with its envelope: role, tool calls, images, opaque provider data. */
  countMessage(message: Message): number
  /** Tokens of the tool schemas that go with every request. */
  countTools(tools: readonly ToolSchema[]): number
  /** Takes a number of tokens for a frozen message instead of counting it, unless it was counted before. Default: not done. */
  remember?(message: Message, tokens: number): void
  /** The difference between these counts and the provider's, learnt from reported usage. */
  readonly calibration?: Calibration
}

/** Learns how a provider's counts differ from ours. It changes estimates only, never a count. */
export interface Calibration {
  /** A prompt that we counted as `counted` tokens was reported as `reported` tokens. */
  observe(counted: number, reported: number): void
  /** The provider's probable count for `counted` of our tokens. */
  apply(counted: number): number
}

/** Where time comes from. Injected, so that the same input gives the same output. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number
}
