import type { HiddenAnswers } from './hidden-answers.ts'
import { EMPTY_TRAIL, type Trail } from './trail.ts'

/** What a conversation is recognised by when its client comes back. */
export interface KnownConversation {
  /** Whose it is: a hash of the client's credentials. */
  readonly owner: string
  /** What clients know it as. */
  readonly name: string
  /** Hash of the first message; null for one that its client named. */
  readonly root: string | null
  /** The list that the client has now, as far as is known. */
  readonly trail: Trail
  readonly hidden: HiddenAnswers
}

/** All conversations that are recognised. */
export interface ConversationIndex {
  find(owner: string, name: string): KnownConversation | undefined
  /** Those of an owner that begin with the same message, the latest first. */
  alike(owner: string, root: string): readonly KnownConversation[]
  /** Takes a conversation's latest state. */
  save(conversation: KnownConversation): void
  close(): void
}

/**
 * In memory.
 *
 * @param limit conversations; the one that was quiet for longest is forgotten first.
 */
export function createMemoryIndex(limit: number): ConversationIndex {
  const known = new Map<string, KnownConversation>()
  const keyOf = (owner: string, name: string) => `${owner}\n${name}`
  return {
    find: (owner, name) => known.get(keyOf(owner, name)),
    alike: (owner, root) =>
      [...known.values()].reverse().filter((one) => one.owner === owner && one.root === root),
    save(conversation) {
      const key = keyOf(conversation.owner, conversation.name)
      known.delete(key)
      known.set(key, conversation)
      for (const oldest of known.keys()) {
        if (known.size <= limit) break
        known.delete(oldest)
      }
    },
    close: () => known.clear(),
  }
}

export function newConversation(owner: string, name: string, root: string | null): KnownConversation {
  return { owner, name, root, trail: EMPTY_TRAIL, hidden: new Map() }
}
