import { parseMemoryRequestContext } from '@mastra/core/memory'
import type { RequestContext } from '@mastra/core/request-context'
import { createModelConversation, type ModelConversation } from '@palimpsest/ai-sdk/conversation'
import { createSessionPool, InvalidOptionError, printWarning } from '@palimpsest/core'
import type { MastraContext, MastraContextOptions } from './context-engine-types.ts'

/** The defaults of this package. */
export const MASTRA_DEFAULTS = {
  /** Maximum number of sessions in memory. */
  threads: 256,
} as const

export interface Conversations extends Pick<MastraContext, 'session' | 'subscribe' | 'end'> {
  inRun<Result>(
    requestContext: RequestContext | undefined,
    task: (conversation: ModelConversation) => Result | Promise<Result>,
  ): Promise<Result>
}

export function createConversations<Options>(input: MastraContextOptions<Options>): Conversations {
  const { threads: limit = MASTRA_DEFAULTS.threads, ...options } = input
  if (!Number.isInteger(limit) || limit < 1)
    throw new InvalidOptionError(
      'threads',
      `threads must be a whole number from 1 on and is ${String(limit)}`,
    )
  const listeners = new Set<Parameters<Conversations['subscribe']>[0]>()
  const withoutThread = new WeakMap<RequestContext, ModelConversation>()

  const open = (sessionId?: string): ModelConversation => {
    const conversation = createModelConversation<Options>({
      ...options,
      ...(sessionId !== undefined && { sessionId }),
    })
    const { session } = conversation
    session.subscribe((event) => {
      if (event.type === 'warning' && listeners.size === 0) printWarning(event.warning)
      for (const listener of listeners) listener(event, session)
    })
    return conversation
  }

  const threads = createSessionPool({ limit, open, end: ({ session }) => session.end() })

  return {
    session: (threadId) => threads.open(threadId).session,
    async inRun(requestContext, task) {
      const threadId = parseMemoryRequestContext(requestContext)?.thread?.id
      if (threadId !== undefined) return threads.use(threadId, task)
      const known = requestContext && withoutThread.get(requestContext)
      const conversation = known ?? open()
      if (requestContext !== undefined) withoutThread.set(requestContext, conversation)
      return task(conversation)
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    end: (threadId) => (threadId === undefined ? threads.close() : threads.end(threadId)),
  }
}
