import { randomUUID } from 'node:crypto'
import type { Loaded } from '../conversations/open-conversation.ts'
import type { PoolLease } from '../pool/conversation-pool.ts'
import { firstBookmark, knownLength } from './bookmark.ts'
import type { ConversationIndex, KnownConversation } from './conversation-index.ts'
import type { Trail } from './trail.ts'

/** A conversation that was claimed for a request. */
export interface Claimed {
  readonly known: KnownConversation
  readonly lease: PoolLease<Loaded>
}

interface RecogniseInput {
  readonly index: ConversationIndex
  readonly owner: string
  /** That of the client's list. */
  readonly trail: Trail
  /** Undefined when a request of this conversation is being answered. */
  readonly tryTake: (name: string) => Promise<PoolLease<Loaded> | undefined>
}

/**
 * The conversation that a list without a name belongs to. It goes on when the list grows, and when only its last turn
 * was changed: another answer, another last message of the user. What parts from it earlier is a conversation of its
 * own, and so is what comes while an answer to it is under way.
 */
export async function recognise({ index, owner, trail, tryTake }: RecogniseInput): Promise<Claimed> {
  const lengthOf = ({ bookmark }: KnownConversation) => knownLength(bookmark, trail) ?? -1
  const alike = [...(await index.alike(owner, trail))].sort((a, b) => lengthOf(b) - lengthOf(a))
  for (const { name } of alike) {
    const lease = await tryTake(name)
    const known = lease && (await underLease(lease, () => index.claim(owner, name)))
    if (lease === undefined || known === undefined) continue
    // Somebody may have answered it between the look at it and the claim.
    if (lengthOf(known) !== -1) return { known, lease }
    await lease.release()
  }
  const bookmark = firstBookmark(trail)
  for (let name = `c-${bookmark.anchor}`; ; name = `c-${bookmark.anchor}-${randomUUID().slice(0, 8)}`) {
    const lease = await tryTake(name)
    const known =
      lease && (await underLease(lease, () => index.create({ owner, name, isNamed: false, bookmark })))
    if (lease !== undefined && known !== undefined) return { known, lease }
  }
}

/** The conversation that a client named. */
export async function claimNamed(
  index: ConversationIndex,
  { owner, name, trail }: { readonly owner: string; readonly name: string; readonly trail: Trail },
  lease: PoolLease<Loaded>,
): Promise<Claimed> {
  const bookmark = firstBookmark(trail)
  const known = await underLease(
    lease,
    async () =>
      (await index.claim(owner, name)) ??
      (await index.create({ owner, name, isNamed: true, bookmark })) ??
      // It was made, and the answer to that was lost.
      index.claim(owner, name),
  )
  if (known === undefined) throw new Error('a conversation that was made is found')
  return { known, lease }
}

/** Releases the lease when work comes to nothing. */
async function underLease(
  lease: PoolLease<Loaded>,
  work: () => Promise<KnownConversation | undefined>,
): Promise<KnownConversation | undefined> {
  let known: KnownConversation | undefined
  try {
    known = await work()
    return known
  } finally {
    if (known === undefined) await lease.release()
  }
}
