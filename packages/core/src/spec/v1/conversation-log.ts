import type { Message } from './message.ts'
import type { StoredSession } from './store.ts'

/** A message of a conversation, with its place. */
export interface LogEntry {
  /** Grows with every message of the session and is never reused: `m57` in tools. */
  readonly seq: number
  /** The host's own id if it is unique in the session, else `m<seq>`. */
  readonly id: string
  /** The frozen message, with its `id`. */
  readonly message: Message
  /** Tokens by the host's counter. */
  readonly tokens: number
  /** The time of the message, in milliseconds since the epoch. */
  readonly at: number
}

/** A session's messages: the host's list, one to one, kept in a store. */
export interface ConversationLog {
  /**
   * The current conversation in order: `entries[index]` is the host's message `index`. The list grows in place; an edit
   * replaces it.
   */
  readonly entries: readonly LogEntry[]
  find(id: string): LogEntry | undefined
  /** Number of times that the host removed messages. */
  readonly edits: number
  /** Number of entries at the end that the store has not accepted yet. Writing is retried with the next message. */
  readonly unsaved: number
  /**
   * True if another process continued this session with different messages: the store no longer holds this
   * conversation.
   */
  readonly isDetached: boolean
  /** Opens the session in its store. Rejects with the store's error. */
  open(): Promise<StoredSession>
}
