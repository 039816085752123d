import { createSessionPool } from '@palimpsest/core'
import type { Conversation } from './conversation.ts'
import type { AgentMessage, Llm, SessionName } from './host-types.ts'

/** Conversations that are kept ready. The one that was used longest ago is ended; its next turn opens it again. */
const MOST_OPEN = 32

/** The conversations of a running OpenClaw, which makes a new engine for each turn. */
export interface Conversations {
  /** Opens a conversation, or returns the open one. */
  open(name: SessionName): Conversation
  /** Does something with it. `llm` is the host's model for it, of the call that is under way. */
  use<T>(
    name: SessionName,
    llm: Llm | undefined,
    task: (conversation: Conversation) => T | Promise<T>,
  ): Promise<T>
  /** The open conversation that a history is a copy of. */
  copied(history: readonly AgentMessage[]): Conversation | undefined
  /** Ends the conversations of a session key. */
  endKey(sessionKey: string): Promise<void>
  /** Ends them all. */
  close(): Promise<void>
}

interface Open {
  readonly id: string
  readonly conversation: Conversation
  key: string | undefined
  llm: Llm | undefined
}

/** `begin` gets a function for the host's model, because the calls that tell it come and go. */
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
