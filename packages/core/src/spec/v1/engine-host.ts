import type { Clock } from './clock.ts'
import type { CompletionModel } from './completion-model.ts'
import type { TokenCounter } from './token-counter.ts'

/** The session's side for an engine. Engines read no environment, no files and no globals. */
export interface EngineHost {
  /** The model's window, in tokens. */
  readonly contextLength: number
  /** Tokens of the window that are reserved for the answer. */
  readonly maxOutputTokens: number
  readonly tokens: TokenCounter
  readonly clock: Clock
  /** The auxiliary model for summaries and extraction. Without one the engine works without a model. */
  readonly model?: CompletionModel
  readonly sessionId: string
}
