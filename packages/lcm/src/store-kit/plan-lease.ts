import { checkLeaseRequest } from '../store/check-input.ts'
import type { Lease, LeaseRequest } from '../store/lcm-session.ts'
import { leaseOf, type StoredSession } from './stored-session.ts'

/**
 * The session with the lease of a holder, who keeps the token of its own lease; undefined while another holder has
 * one.
 *
 * @param now By the store's own clock, where several machines share it. Default: by the holder's.
 * @throws InvalidOptionError
 */
export function planLease(
  session: StoredSession,
  request: LeaseRequest,
  now = request.now,
): StoredSession | undefined {
  checkLeaseRequest(request)
  const { holder, ttl } = request
  const { lease, leaseToken } = session
  if (lease !== undefined && lease.holder !== holder && now < lease.until) return undefined
  const token = lease?.holder === holder ? leaseToken : leaseToken + 1
  return { ...session, leaseToken: token, lease: { holder, until: now + ttl } }
}

/** The session without a lease; undefined when it was lost already, and is not the caller's to give back. */
export function planRelease(session: StoredSession, { holder, token }: Lease): StoredSession | undefined {
  const { lease: _, ...rest } = session
  const current = leaseOf(session)
  return current?.token === token && current.holder === holder ? rest : undefined
}
