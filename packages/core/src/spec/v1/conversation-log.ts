import type { Message } from './message.ts'
import type { StoredSession } from './store.ts'

/** A message of a conversation, with its place. */
export interface LogEntry {
  /** Grows with every message that the session ever took, and is never used twice: `m57` in tools. */
  readonly seq: number
  /** The host's own id while it is unique in the session, else `m<seq>`. */
  readonly id: string
  /** Frozen, with `id`. */
  readonly message: Message
  /** By the host's counter. */
  readonly tokens: number
  /** When it was said, in milliseconds since the epoch. */
  readonly at: number
}

/** What was said in a session: the host's list, one to one, kept in a store. */
export interface ConversationLog {
  /** The conversation as it is now, in order: `entries[index]` is message `index` of the host. It grows in place; after an edit it is another list. */
  readonly entries: readonly LogEntry[]
  /** The entry that an id names. */
  find(id: string): LogEntry | undefined
  /** Times that the host took messages back. */
  readonly edits: number
  /** Entries at the end that the store has not taken yet, because it failed. It is tried again with the next message. */
  readonly unsaved: number
  /** Another process goes on with this session and said something else: the store does not hold this conversation any more. */
  readonly isDetached: boolean
  /** Where it is kept. Rejects with the store's error while it cannot be used. */
  open(): Promise<StoredSession>
}
