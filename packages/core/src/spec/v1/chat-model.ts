import type { CachePlan } from './cache-planner.ts'
import type { FinishReason } from './completion-model.ts'
import type { AssistantMessage, Message } from './message.ts'
import type { ToolSchema } from './tool-schema.ts'
import type { Usage } from './usage.ts'

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
