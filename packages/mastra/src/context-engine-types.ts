import type { Processor } from '@mastra/core/processors'
import type { ContextEngineOptions } from '@palimpsest/ai-sdk/conversation'
import type { CompletionModel, ContextSession, SessionEvent } from '@palimpsest/core'
import type { LanguageModel } from 'ai'

/** Options of `contextEngine`. */
export interface MastraContextOptions<Options>
  extends Omit<ContextEngineOptions<Options>, 'model' | 'sessionId' | 'tools'> {
  /**
   * The model that writes summaries: one of the AI SDK, or any `CompletionModel`. Without one, engines work without a
   * model.
   */
  readonly model?: CompletionModel | Exclude<LanguageModel, string>
  /**
   * The number of threads whose sessions are held in memory. The one that was used longest ago is ended; it is opened
   * again when its thread goes on. Default: `MASTRA_DEFAULTS.threads`.
   */
  readonly threads?: number
}

/** Belongs into `inputProcessors`, as the last one, and into `errorProcessors`. */
export type ContextProcessor = Processor<'palimpsest'> &
  Required<
    Pick<Processor, 'processInputStep' | 'processLLMRequest' | 'processLLMResponse' | 'processAPIError'>
  >

/** One engine for all conversations of one or more agents. */
export interface MastraContext {
  /** Swaps what the model is sent, and brings the engine's tools. Nothing of the agent's memory is touched. */
  readonly processor: ContextProcessor
  /** The session of a thread: transcript, status of the engine, `compact` for a `/compact` command. Opened when it is not. */
  session(threadId: string): ContextSession
  /** Adds a listener for the events of all sessions, and returns how to remove it. What it throws is ignored. */
  subscribe(listener: (event: SessionEvent, session: ContextSession) => void): () => void
  /** Ends the session of a thread, or all of them, and disposes of their engines. What is stored stays. */
  end(threadId?: string): Promise<void>
}
