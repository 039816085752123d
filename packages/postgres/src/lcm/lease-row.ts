import type { Lease, LeaseRequest } from '@palimpsest/lcm'
import { packName, unpackName } from '@palimpsest/lcm/store-kit'
import type { Sql } from '../database/sql.ts'
import type { SessionRow } from './session-row.ts'

/** The lease that was given out last, unless it was given back; it may have run out. */
export function leaseOf({ lease_holder: holder, lease_token: token }: SessionRow): Lease | undefined {
  return holder === null ? undefined : { holder: unpackName(holder), token }
}

/**
 * Gives the lease to a holder unless another one has it; its own holder keeps the token. The time is the server's,
 * because the clocks of workers differ. Of two statements at once, the second one sees what the first has done.
 */
export async function acquireLease(
  sql: Sql,
  no: number,
  { holder, ttl }: Omit<LeaseRequest, 'now'>,
): Promise<Lease | null> {
  const row = await sql.get<Pick<SessionRow, 'lease_token'>>(
    `UPDATE lcm_session SET lease_holder = $2, lease_until = lcm_clock() + $3,
       lease_token = lease_token + CASE WHEN lease_holder = $2 THEN 0 ELSE 1 END
     WHERE no = $1 AND (lease_holder IS NULL OR lease_holder = $2 OR lease_until <= lcm_clock())
     RETURNING lease_token`,
    ...[no, packName(holder), ttl],
  )
  return row === undefined ? null : { holder, token: row.lease_token }
}

/** Gives a lease back. One that was lost already is not the caller's to give. */
export async function releaseLease(sql: Sql, no: number, { holder, token }: Lease): Promise<void> {
  await sql.run(
    `UPDATE lcm_session SET lease_holder = NULL, lease_until = NULL
     WHERE no = $1 AND lease_holder = $2 AND lease_token = $3`,
    ...[no, packName(holder), token],
  )
}
