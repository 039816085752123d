import { createSessionPool } from '@palimpsest/core'
import type { Conversation } from './conversation.ts'
import type { AgentMessage, Llm, SessionName } from './host-types.ts'

/** Maximum number of open conversations. The least recently used one is ended, and reopened on its next turn. */
const MOST_OPEN = 32

export interface Conversations {
  open(name: SessionName): Conversation
  use<T>(
    name: SessionName,
    llm: Llm | undefined,
    task: (conversation: Conversation) => T | Promise<T>,
  ): Promise<T>
  copied(history: readonly AgentMessage[]): Conversation | undefined
  endKey(sessionKey: string): Promise<void>
  close(): Promise<void>
}

interface Open {
  readonly id: string
  readonly conversation: Conversation
  key: string | undefined
  llm: Llm | undefined
}

export function createConversations(
  begin: (sessionId: string, llm: () => Llm | undefined) => Conversation,
): Conversations {
  const pool = createSessionPool<Open>({
    limit: MOST_OPEN,
    open(id) {
      const conversation = begin(id, () => pool.get(id)?.llm)
      return { id, conversation, key: undefined, llm: undefined }
    },
    end: ({ conversation }) => conversation.session.end(),
  })
  return {
    open: ({ sessionId }) => pool.open(sessionId).conversation,
    use: ({ sessionId, sessionKey }, llm, task) =>
      pool.use(sessionId, (open) => {
        open.key ??= sessionKey
        open.llm = llm ?? open.llm
        return task(open.conversation)
      }),
    copied: (history) =>
      pool.values().find(({ conversation }) => conversation.isBehind(history))?.conversation,
    async endKey(sessionKey) {
      const ended = pool.values().filter(({ key }) => key === sessionKey)
      await Promise.all(ended.map(({ id }) => pool.end(id)))
    },
    close: pool.close,
  }
}
