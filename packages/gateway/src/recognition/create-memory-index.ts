import { putNewest } from '../put-newest.ts'
import { knownLength } from './checkpoint.ts'
import type { ConversationIndex, HiddenAnswer, KnownConversation } from './conversation-index.ts'

/** A conversation with the answers that its client never saw. */
export interface RememberedConversation {
  readonly known: KnownConversation
  readonly hidden: ReadonlyMap<string, HiddenAnswer>
}

/**
 * The index of one process, in memory.
 *
 * @param limit conversations; the one that was quiet for longest is forgotten first.
 * @param remembered from before, in the order of their last use.
 */
export function createMemoryIndex(
  limit: number,
  remembered: readonly RememberedConversation[] = [],
): ConversationIndex {
  const all = new Map<string, RememberedConversation>()
  const keyOf = (owner: string, name: string) => `${owner}\n${name}`

  const put = (one: RememberedConversation): void => {
    const key = keyOf(one.known.owner, one.known.name)
    putNewest(all, key, one, limit)
  }
  remembered.forEach(put)

  return {
    async alike(owner, prefix) {
      const isAlike = ({ known }: RememberedConversation) =>
        known.owner === owner && !known.isNamed && knownLength(known.checkpoint, prefix) !== undefined
      return [...all.values()]
        .filter(isAlike)
        .map(({ known }) => known)
        .reverse()
    },
    async create(conversation) {
      if (all.has(keyOf(conversation.owner, conversation.name))) return undefined
      const known = { ...conversation, token: 1 }
      put({ known, hidden: new Map() })
      return known
    },
    async acquire(owner, name) {
      const key = keyOf(owner, name)
      const one = all.get(key)
      if (one === undefined) return undefined
      const known = { ...one.known, token: one.known.token + 1 }
      all.set(key, { ...one, known })
      return known
    },
    async hidden({ owner, name }) {
      return all.get(keyOf(owner, name))?.hidden ?? new Map()
    },
    async save(known, { checkpoint, hidden, dropped }) {
      const before = all.get(keyOf(known.owner, known.name))
      // One that had to go while it was answered comes back.
      if (before !== undefined && before.known.token !== known.token) return false
      const left = [...(before?.hidden ?? [])].filter(([hash]) => !dropped.includes(hash))
      put({ known: { ...known, checkpoint }, hidden: new Map([...left, ...hidden]) })
      return true
    },
    async close() {
      all.clear()
    },
  }
}
