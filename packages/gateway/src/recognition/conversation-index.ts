import type { Checkpoint } from './checkpoint.ts'
import type { HiddenAnswers } from './hidden-answers.ts'
import type { PrefixHashes } from './prefix-hashes.ts'

/** The record by which a conversation is recognised when its client comes back. */
export interface KnownConversation {
  /** A hash of the client's credentials. */
  readonly owner: string
  /** Its id for clients. */
  readonly name: string
  /** Whether its client named it: then it is not recognised by its list. */
  readonly isNamed: boolean
  /** Grows with each request: a save that names an earlier one is refused. */
  readonly token: number
  /** The list that the client has now, as far as is known. */
  readonly checkpoint: Checkpoint
}

/** The changes of a request. */
export interface ConversationChange {
  readonly checkpoint: Checkpoint
  /** Answers that the client's list has for the first time. */
  readonly hidden: HiddenAnswers
  /** Hashes of hidden answers that were edited away. */
  readonly dropped: readonly string[]
}

/**
 * All conversations that are recognised, by one process or by several. Rejects with the errors of its store. What is
 * done twice is done once.
 */
export interface ConversationIndex {
  /**
   * Those of an owner, named ones apart, that a list goes on from; the latest first, at least of those whose last turn
   * begins at the same place.
   */
  alike(owner: string, prefix: PrefixHashes): Promise<readonly KnownConversation[]>
  /** Begins a conversation, with its first token. Undefined when the name is taken. */
  create(conversation: Omit<KnownConversation, 'token'>): Promise<KnownConversation | undefined>
  /**
   * Takes a conversation for a request; whoever has acquired it before cannot save any more. What it says was true at
   * that moment. Undefined when there is none.
   */
  acquire(owner: string, name: string): Promise<KnownConversation | undefined>
  hidden(conversation: KnownConversation): Promise<HiddenAnswers>
  /** Stores all of a change or nothing of it. False when another answer has acquired the conversation meanwhile. */
  save(conversation: KnownConversation, change: ConversationChange): Promise<boolean>
  close(): Promise<void>
}
