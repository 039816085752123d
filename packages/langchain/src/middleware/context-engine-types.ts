import type { BaseChatModel } from '@langchain/core/language_models/chat_models'
import type { ClientTool } from '@langchain/core/tools'
import type { CompletionModel, ContextSession, ContextSessionOptions, SessionEvent } from '@palimpsest/core'
import type { AgentMiddleware } from 'langchain'

/** Options of `contextEngineMiddleware`. */
export interface ContextEngineMiddlewareOptions<Options>
  extends Pick<
    ContextSessionOptions<Options>,
    'options' | 'store' | 'principal' | 'contextLength' | 'maxOutputTokens' | 'tokens' | 'clock'
  > {
  /**
   * The model that writes summaries: a chat model of LangChain, or any `CompletionModel`. Without one, engines work without
   * a model.
   */
  readonly model?: CompletionModel | BaseChatModel
  /**
   * The most sessions in memory. The one that was quiet for longest is ended first, and opened again from the thread's
   * history when the thread goes on. Default: `LANGCHAIN_DEFAULTS.maxSessions`.
   */
  readonly maxSessions?: number
}

/** Hears the events of all sessions, each with the id of its session: the thread's id, if the thread has one. */
export type ThreadListener = (event: SessionEvent, sessionId: string) => void

/** For `middleware` of an agent. One session for each of its threads. */
export interface ContextEngineMiddleware
  extends AgentMiddleware<undefined, undefined, unknown, readonly ClientTool[]> {
  /** The session of a thread. Undefined when it is not in memory. */
  session(threadId: string): ContextSession | undefined
  /** Adds a listener and returns how to remove it. What a listener throws is ignored. */
  subscribe(listener: ThreadListener): () => void
  /**
   * Ends all sessions and disposes of their engines. A thread that goes on afterwards gets a new one. Rejects with the
   * engine's error if one could not end well.
   */
  end(): Promise<void>
}
