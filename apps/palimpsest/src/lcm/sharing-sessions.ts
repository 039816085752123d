import type { LcmSession, SeqRange } from '@palimpsest/lcm'
import { eachSession } from './sessions.ts'
import type { OpenedStore } from './with-store.ts'

/** Messages that a session sees, and whose they are. */
interface Share extends SeqRange {
  readonly owner: string
}

/** The other sessions of the principal, forks and what they were forked from, that have one of the messages too. */
export async function sharingSessions(
  opened: OpenedStore,
  session: LcmSession,
  range: SeqRange,
): Promise<string[]> {
  const shares = await sharesOf(opened, session)
  const sharing: string[] = []
  for await (const other of eachSession(opened)) {
    if (other.key === session.key) continue
    const others = await sharesOf(opened, other)
    if (shares.some((share) => others.some((another) => meet(share, another, range)))) sharing.push(other.key)
  }
  return sharing
}

/** From the session itself to the one that was forked from none. */
async function sharesOf({ store, principal }: OpenedStore, session: LcmSession): Promise<Share[]> {
  const shares: Share[] = []
  let last = Number.POSITIVE_INFINITY
  for (let next: LcmSession | null = session; next !== null; ) {
    const { parent } = await next.head()
    shares.push({ owner: next.key, first: parent?.seq ?? 0, last })
    last = Math.min(last, (parent?.seq ?? 0) - 1)
    next = parent === undefined ? null : await store.find({ principal, key: parent.key })
  }
  return shares
}

function meet(one: Share, other: Share, { first, last }: SeqRange): boolean {
  return (
    one.owner === other.owner &&
    Math.max(one.first, other.first, first) <= Math.min(one.last, other.last, last)
  )
}
