import type { Clock } from '@palimpsest/core'
import type { LcmSession, Lease } from '../store/lcm-session.ts'

/**
 * A lease younger than this is not prolonged, in milliseconds. One that a call of the model begins with so outlasts it,
 * and two slow workers do not take it from each other in turns.
 */
export const RENEW_MS = 30_000
/** The time that a worker that died keeps others from the same compaction, in milliseconds. */
const LEASE_MS = 150_000

const LEASE_LOST = new Error('another worker holds the lease of this session')

export interface LeasedWork {
  readonly signal: AbortSignal | undefined
  /** It cannot be left to another worker. */
  readonly must: boolean
  /** Of the frontier that it is planned on. */
  readonly version: number
}

/** Keeps two workers from paying a model for the same summaries. */
export interface CompactionLease {
  /**
   * Does a piece of work while no other worker compacts this session; null when one does, from the start or because
   * the lease was lost, or has done so since the work was planned. Work that must be done is done all the same, and not
   * bound to the lease: the frontier's version keeps writers apart.
   */
  run<T>(input: LeasedWork, work: (lease: Lease | undefined) => Promise<T>): Promise<T | null>
  /** Prolongs the lease in time. Rejects when it was lost, and then `lost` is aborted too. */
  renew(): Promise<void>
  /** Of the work that goes on. */
  readonly lost: AbortSignal | undefined
}

export interface CompactionLeaseInput {
  readonly open: () => Promise<LcmSession>
  readonly clock: Clock
}

interface Held {
  readonly session: LcmSession
  lease: Lease
  /** When it was acquired or prolonged last. */
  since: number
  /** Null for work that is done all the same. */
  readonly lost: AbortController | null
}

export function createCompactionLease({ open, clock }: CompactionLeaseInput): CompactionLease {
  const holder = globalThis.crypto.randomUUID()
  let held: Held | undefined

  // A store that cannot be reached gives no lease and takes none: the commit finds out.
  const acquire = <T>(session: LcmSession, otherwise: T): Promise<Lease | null | T> =>
    session.acquireLease({ holder, now: clock.now(), ttl: LEASE_MS }).catch(() => otherwise)

  return {
    async run({ signal, must, version }, work) {
      const session = await open().catch(() => undefined)
      const since = clock.now()
      const lease = session && (await acquire(session, undefined))
      if (lease === null && !must) return null
      const lost = must ? null : new AbortController()
      const mine = session && lease ? { session, lease, lost, since } : undefined
      held = mine
      try {
        signal?.throwIfAborted()
        // The other one was done just before: what it wrote would be paid for again, and refused then.
        if (mine !== undefined && !must && (await versionOf(mine.session)) > version) return null
        return await work(must ? undefined : mine?.lease)
      } catch (error) {
        if (error === LEASE_LOST) return null
        throw error
      } finally {
        if (held === mine) held = undefined
        if (mine !== undefined) await mine.session.releaseLease(mine.lease).catch(() => {})
      }
    },
    async renew() {
      if (held === undefined) return
      const { session, lease, lost, since } = held
      const now = clock.now()
      if (now >= since && now - since < RENEW_MS) return
      held.since = now
      const again = await acquire(session, lease)
      if (again?.token === lease.token) return
      // A new token: another worker had the lease in between.
      if (again) held.lease = again
      lost?.abort(LEASE_LOST)
      lost?.signal.throwIfAborted()
    },
    get lost() {
      return held?.lost?.signal
    },
  }
}

/** Of the frontier in the store; none when it cannot be asked, which the commit finds out. */
async function versionOf(session: LcmSession): Promise<number> {
  try {
    return (await session.head()).version
  } catch {
    return 0
  }
}
