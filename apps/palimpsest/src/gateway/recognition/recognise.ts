import type { ConversationIndex, KnownConversation } from './conversation-index.ts'
import { newConversation } from './conversation-index.ts'
import { commonLength, digest, type Trail } from './trail.ts'

interface RecogniseInput {
  readonly index: ConversationIndex
  readonly owner: string
  /** That of the client's list. */
  readonly trail: Trail
  /** Whether a request of this conversation is being answered. */
  readonly isBusy: (conversation: KnownConversation) => boolean
}

/**
 * The conversation that a list without a name belongs to. It goes on when the list grows, and when only its last turn was
 * changed: another answer, another last message of the user. What parts from it earlier is a conversation of its own, and
 * so is what comes while an answer to it is under way.
 */
export function recognise({ index, owner, trail, isBusy }: RecogniseInput): KnownConversation {
  const [first = digest('')] = trail.hashes
  const alike = index.alike(owner, first).map((known) => {
    const common = commonLength(known.trail.hashes, trail.hashes)
    return { known, common, goesOn: common >= known.trail.lastUser }
  })
  const [best] = alike
    .filter(({ goesOn, known }) => goesOn && !isBusy(known))
    .sort((a, b) => b.common - a.common)
  if (best !== undefined) return best.known
  return newConversation(owner, freeName(index, owner, first), first)
}

/** The same beginning has the same name after a restart, as long as nobody else has begun so. */
function freeName(index: ConversationIndex, owner: string, first: string): string {
  const name = `c-${first}`
  if (index.find(owner, name) === undefined) return name
  for (let number = 2; ; number++)
    if (index.find(owner, `${name}-${number}`) === undefined) return `${name}-${number}`
}
