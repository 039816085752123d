import type { BaseChatModel } from '@langchain/core/language_models/chat_models'
import type { ClientTool } from '@langchain/core/tools'
import type { CompletionModel, ContextSession, ContextSessionOptions, SessionEvent } from '@palimpsest/core'
import type { AgentMiddleware } from 'langchain'

/** Options of `contextEngineMiddleware`. */
export interface ContextEngineMiddlewareOptions<Options>
  extends Pick<
    ContextSessionOptions<Options>,
    'options' | 'store' | 'principal' | 'contextLength' | 'maxOutputTokens' | 'compactAt' | 'tokens' | 'clock'
  > {
  /**
   * The model that writes summaries: a LangChain chat model, or any `CompletionModel`. Without one, engines work
   * without a model.
   */
  readonly model?: CompletionModel | BaseChatModel
  /**
   * Maximum number of sessions in memory. The least recently used one is ended, and reopened from its thread's history.
   * Default: `LANGCHAIN_DEFAULTS.maxSessions`.
   */
  readonly maxSessions?: number
}

/** Receives the events of all sessions with the session's id, which is the thread's id if there is one. */
export type ThreadListener = (event: SessionEvent, sessionId: string) => void

/** The `middleware` of an agent. Each thread has its own session. */
export interface ContextEngineMiddleware
  extends AgentMiddleware<undefined, undefined, unknown, readonly ClientTool[]> {
  /** A thread's session; undefined if it is not in memory. */
  session(threadId: string): ContextSession | undefined
  /**
   * Ends a thread's sessions, those of its nested agents too, and deletes the text of their messages and summaries from
   * the store. The checkpointer's data is its own. Rejects with the store's error.
   */
  deleteThread(threadId: string): Promise<void>
  /** Adds a listener and returns a function that removes it. Errors of listeners are ignored. */
  subscribe(listener: ThreadListener): () => void
  /**
   * Ends all sessions and disposes of their engines. A continued thread gets a new session. Rejects with the engine's
   * error if one could not end cleanly.
   */
  end(): Promise<void>
}
