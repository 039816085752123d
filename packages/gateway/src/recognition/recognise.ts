import { randomUUID } from 'node:crypto'
import type { Loaded } from '../conversations/open-conversation.ts'
import type { PoolLease } from '../pool/conversation-pool.ts'
import { firstCheckpoint, knownLength } from './checkpoint.ts'
import type { ConversationIndex, KnownConversation } from './conversation-index.ts'
import type { PrefixHashes } from './prefix-hashes.ts'

/** A conversation that was acquired for a request. */
export interface Acquired {
  readonly known: KnownConversation
  readonly lease: PoolLease<Loaded>
}

interface RecogniseInput {
  readonly index: ConversationIndex
  readonly owner: string
  /** That of the client's list. */
  readonly prefix: PrefixHashes
  /** Undefined when a request of this conversation is being answered. */
  readonly tryTake: (name: string) => Promise<PoolLease<Loaded> | undefined>
  /** Called when another conversation of the owner began with the same messages: it may be of another user. */
  readonly onAlike: () => void
}

/**
 * The conversation that a list without a name belongs to. It goes on when the list grows, and when only its last turn
 * was changed: another answer, another last message of the user. What parts from it earlier is a conversation of its
 * own, and so is what comes while an answer to it is under way.
 */
export async function recognise(input: RecogniseInput): Promise<Acquired> {
  const { index, owner, prefix, tryTake, onAlike } = input
  const lengthOf = ({ checkpoint }: KnownConversation) => knownLength(checkpoint, prefix) ?? -1
  const alike = [...(await index.alike(owner, prefix))].sort((a, b) => lengthOf(b) - lengthOf(a))
  for (const { name } of alike) {
    const lease = await tryTake(name)
    const known = lease && (await underLease(lease, () => index.acquire(owner, name)))
    if (lease === undefined || known === undefined) continue
    // Another request may have answered it between the look at it and the lock.
    if (lengthOf(known) !== -1) {
      if (beginsAgain(prefix, known)) onAlike()
      return { known, lease }
    }
    await lease.release()
  }
  const checkpoint = firstCheckpoint(prefix)
  for (let name = `c-${checkpoint.anchor}`; ; name = `c-${checkpoint.anchor}-${randomUUID().slice(0, 8)}`) {
    const lease = await tryTake(name)
    const known =
      lease && (await underLease(lease, () => index.create({ owner, name, isNamed: false, checkpoint })))
    if (lease !== undefined && known !== undefined) return { known, lease }
    onAlike()
  }
}

/** Whether a list has only the first turn of a conversation that was answered already. */
function beginsAgain({ hashes, users }: PrefixHashes, { checkpoint }: KnownConversation): boolean {
  return users.length <= 1 && checkpoint.first + checkpoint.hashes.length > hashes.length
}

/** The conversation that a client named. */
export async function acquireNamed(
  index: ConversationIndex,
  { owner, name, prefix }: { readonly owner: string; readonly name: string; readonly prefix: PrefixHashes },
  lease: PoolLease<Loaded>,
): Promise<Acquired> {
  const checkpoint = firstCheckpoint(prefix)
  const known = await underLease(
    lease,
    async () =>
      (await index.acquire(owner, name)) ??
      (await index.create({ owner, name, isNamed: true, checkpoint })) ??
      // It was made, and the answer to that was lost.
      index.acquire(owner, name),
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
