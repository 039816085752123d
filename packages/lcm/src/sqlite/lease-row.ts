import type { Sql } from '@palimpsest/sqlite-kit'
import type { Lease, LeaseRequest } from '../store/lcm-session.ts'
import { packName, unpackName } from '../store-kit/stored-values.ts'
import type { SessionRow } from './session-row.ts'

/** The lease that was given out last, unless it was given back; it may have run out. */
export function leaseOf({ lease_holder: holder, lease_token: token }: SessionRow): Lease | undefined {
  return holder === null ? undefined : { holder: unpackName(holder), token }
}

/** Gives the lease to a holder unless another one has it; its own holder keeps the token. Within a transaction. */
export function acquireLease(
  sql: Sql,
  session: SessionRow,
  { holder, now, ttl }: LeaseRequest,
): Lease | null {
  const { no, lease_holder: current, lease_until: until } = session
  const name = packName(holder)
  if (current !== null && current !== name && now < (until ?? 0)) return null
  const token = current === name ? session.lease_token : session.lease_token + 1
  sql.run(
    'UPDATE session SET lease_holder = ?, lease_token = ?, lease_until = ? WHERE no = ?',
    ...[name, token, now + ttl, no],
  )
  return { holder, token }
}

/** Gives a lease back. One that was lost already is not the caller's to give. */
export function releaseLease(sql: Sql, no: number, { holder, token }: Lease): void {
  sql.run(
    'UPDATE session SET lease_holder = NULL, lease_until = NULL WHERE no = ? AND lease_holder = ? AND lease_token = ?',
    ...[no, packName(holder), token],
  )
}
