import type { Conversation } from './conversation.ts'
import type { AgentMessage, Llm, SessionName } from './host-types.ts'

/** Conversations that are kept ready. The one that was used longest ago is ended; its next turn opens it again. */
const MOST_OPEN = 32

/** The conversations of a running OpenClaw, which makes a new engine for each turn. */
export interface Conversations {
  /** Opens a conversation, or returns the open one. `llm` is the host's model for it, of the call that is under way. */
  open(name: SessionName, llm?: Llm): Conversation
  /** The open conversation that a history is a copy of. */
  copied(history: readonly AgentMessage[]): Conversation | undefined
  /** Ends the conversations of a session key. */
  endKey(sessionKey: string): Promise<void>
  /** Ends them all. */
  close(): Promise<void>
}

/** `begin` gets a function for the host's model, because the calls that tell it come and go. */
export function createConversations(
  begin: (sessionId: string, llm: () => Llm | undefined) => Conversation,
): Conversations {
  const open = new Map<
    string,
    { conversation: Conversation; key: string | undefined; llm: Llm | undefined }
  >()

  const end = async (sessionId: string): Promise<void> => {
    const entry = open.get(sessionId)
    open.delete(sessionId)
    await entry?.conversation.session.end()
  }

  return {
    open({ sessionId, sessionKey }, llm) {
      const known = open.get(sessionId)
      const entry = known ?? {
        conversation: begin(sessionId, () => open.get(sessionId)?.llm),
        key: sessionKey,
        llm,
      }
      entry.llm = llm ?? entry.llm
      open.delete(sessionId)
      open.set(sessionId, entry)
      const [oldest = sessionId] = open.keys()
      if (open.size > MOST_OPEN) end(oldest).catch(() => {})
      return entry.conversation
    },
    copied: (history) =>
      [...open.values()].find(({ conversation }) => conversation.isBehind(history))?.conversation,
    async endKey(sessionKey) {
      const ids = [...open].filter(([, { key }]) => key === sessionKey).map(([id]) => id)
      await Promise.all(ids.map(end))
    },
    async close() {
      await Promise.all([...open.keys()].map(end))
    },
  }
}
