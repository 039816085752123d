import { parseMemoryRequestContext } from '@mastra/core/memory'
import type { RequestContext } from '@mastra/core/request-context'
import { createModelConversation, type ModelConversation } from '@palimpsest/ai-sdk/conversation'
import type { MastraContext, MastraContextOptions } from './context-engine-types.ts'

/** Every default of this package. */
export const MASTRA_DEFAULTS = {
  /** Threads whose sessions are held in memory. */
  threads: 256,
} as const

/** The conversations of all threads. */
export interface Conversations extends Pick<MastraContext, 'subscribe' | 'end'> {
  ofThread(threadId: string): ModelConversation
  /** The conversation of the run's thread; one for this run alone when it has none. */
  ofRun(requestContext: RequestContext | undefined): ModelConversation
}

export function createConversations<Options>(input: MastraContextOptions<Options>): Conversations {
  const { threads: limit = MASTRA_DEFAULTS.threads, ...options } = input
  const listeners = new Set<Parameters<Conversations['subscribe']>[0]>()
  /** The one that was used last stands last. */
  const threads = new Map<string, ModelConversation>()
  const withoutThread = new WeakMap<RequestContext, ModelConversation>()

  const open = (sessionId?: string): ModelConversation => {
    const conversation = createModelConversation<Options>({
      ...options,
      ...(sessionId !== undefined && { sessionId }),
    })
    const { session } = conversation
    session.subscribe((event) => {
      for (const listener of listeners) listener(event, session)
    })
    return conversation
  }

  const close = async (threadId: string): Promise<void> => {
    const conversation = threads.get(threadId)
    threads.delete(threadId)
    await conversation?.session.end()
  }

  const ofThread = (threadId: string): ModelConversation => {
    const conversation = threads.get(threadId) ?? open(threadId)
    threads.delete(threadId)
    threads.set(threadId, conversation)
    const [oldest] = threads.keys()
    // An engine that cannot end well has told so in an event.
    if (threads.size > limit && oldest !== undefined) close(oldest).catch(() => {})
    return conversation
  }

  return {
    ofThread,
    ofRun(requestContext) {
      const threadId = parseMemoryRequestContext(requestContext)?.thread?.id
      if (threadId !== undefined) return ofThread(threadId)
      const known = requestContext && withoutThread.get(requestContext)
      const conversation = known ?? open()
      if (requestContext !== undefined) withoutThread.set(requestContext, conversation)
      return conversation
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    async end(threadId) {
      await Promise.all((threadId === undefined ? [...threads.keys()] : [threadId]).map(close))
    },
  }
}
