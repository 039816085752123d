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
   * Maximum number of sessions in memory. The least recently used one is ended, and reopened when its thread continues.
   * Default: `MASTRA_DEFAULTS.threads`.
   */
  readonly threads?: number
}

/** The processor for `inputProcessors`, in the last place, and for `errorProcessors`. */
export type ContextProcessor = Processor<'palimpsest'> &
  Required<
    Pick<Processor, 'processInputStep' | 'processLLMRequest' | 'processLLMResponse' | 'processAPIError'>
  >

/** One engine for all conversations of one or more agents. */
export interface MastraContext {
  /** Replaces the model's messages and adds the engine's tools. The agent's memory stays unchanged. */
  readonly processor: ContextProcessor
  /** A thread's session, for its transcript, status, or a `/compact` command. Opened if necessary. */
  session(threadId: string): ContextSession
  /** Adds a listener for the events of all sessions and returns a function that removes it. */
  subscribe(listener: (event: SessionEvent, session: ContextSession) => void): () => void
  /** Ends a thread's session, or all sessions, and disposes of their engines. Stored data stays. */
  end(threadId?: string): Promise<void>
}
