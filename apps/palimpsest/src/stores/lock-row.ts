import { packName } from '@palimpsest/lcm/store-kit'
import type { Sql } from '@palimpsest/postgres/database'

export interface LockName {
  readonly principal: string
  readonly name: string
}

/** A lock that was given out. */
export interface LockRow extends LockName {
  /** A UUID of this lock alone. */
  readonly holder: string
  readonly token: number
}

/**
 * Gives a lock out unless another holder has it. Asked again for the same holder, it says the same, so that it does no harm
 * when the answer is lost. Returns the token; undefined when another holder has it.
 *
 * @param time how long it lasts, in milliseconds.
 */
export async function takeLock(
  sql: Sql,
  { principal, name }: LockName,
  holder: string,
  time: number,
): Promise<number | undefined> {
  const row = await sql.get<Pick<LockRow, 'token'>>(
    `INSERT INTO serve_lock AS locked (principal, name, token, holder, until)
     VALUES ($1, $2, 1, $3, clock_timestamp() + $4 * interval '1 ms')
     ON CONFLICT (principal, name) DO UPDATE SET holder = excluded.holder, until = excluded.until,
       token = locked.token + CASE WHEN locked.holder = excluded.holder THEN 0 ELSE 1 END
     WHERE locked.holder IS NULL OR locked.holder = excluded.holder OR locked.until <= clock_timestamp()
     RETURNING token`,
    ...[packName(principal), packName(name), holder, time],
  )
  return row?.token
}

/** Lets a lock last for so many milliseconds from now on. False when another holder has taken it. */
export async function renewLock(sql: Sql, row: LockRow, time: number): Promise<boolean> {
  const renewed = await sql.run(
    `UPDATE serve_lock SET until = clock_timestamp() + $5 * interval '1 ms' WHERE ${IS_OWN}`,
    ...[...valuesOf(row), time],
  )
  return renewed > 0
}

/** Gives a lock back. One that another holder has taken is not the caller's to give. */
export async function releaseLock(sql: Sql, row: LockRow): Promise<void> {
  await sql.run(`UPDATE serve_lock SET holder = NULL, until = NULL WHERE ${IS_OWN}`, ...valuesOf(row))
}

/** Whether a token is the latest of its name. The lock is not taken over before the end of the transaction. */
export async function fenceLock(sql: Sql, { principal, name }: LockName, token: number): Promise<boolean> {
  const row = await sql.get(
    `SELECT 1 FROM serve_lock WHERE principal = $1 AND name = $2 AND token = $3 AND holder IS NOT NULL
     FOR NO KEY UPDATE`,
    ...[packName(principal), packName(name), token],
  )
  return row !== undefined
}

const IS_OWN = 'principal = $1 AND name = $2 AND token = $3 AND holder = $4'

function valuesOf({ principal, name, token, holder }: LockRow) {
  return [packName(principal), packName(name), token, holder] as const
}
