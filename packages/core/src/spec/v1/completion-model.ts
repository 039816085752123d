import type { Usage } from './usage.ts'

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
}
