import type { Lease, LeaseRequest } from '../store/lcm-session.ts'
import type { SessionState } from './session-state.ts'

/** Gives the lease to a holder unless another one has it; its own holder keeps the token. */
export function acquireLease(state: SessionState, { holder, now, ttl }: LeaseRequest): Lease | null {
  const { lease } = state
  if (lease !== undefined && lease.holder !== holder && now < lease.until) return null
  if (lease?.holder !== holder) state.lastToken++
  state.lease = { holder, token: state.lastToken, until: now + ttl }
  return { holder, token: state.lastToken }
}

/** Gives a lease back. One that was lost already is not the caller's to give. */
export function releaseLease(state: SessionState, { holder, token }: Lease): void {
  if (state.lease?.token === token && state.lease.holder === holder) state.lease = undefined
}
