import { packName } from '@palimpsest/lcm/store-kit'
import type { Sql } from '@palimpsest/postgres/database'

/** Whose hold, and of what. */
export interface HoldName {
  readonly principal: string
  readonly name: string
}

/** A hold that was given out. */
export interface HoldRow extends HoldName {
  /** A UUID of this hold alone. */
  readonly holder: string
  readonly token: number
}

/**
 * Gives a hold out unless somebody has it. Asked again for the same holder, it says the same, so that it does no harm
 * when the answer is lost. Returns the token; undefined when somebody else has it.
 *
 * @param time how long it lasts, in milliseconds.
 */
export async function takeHold(
  sql: Sql,
  { principal, name }: HoldName,
  holder: string,
  time: number,
): Promise<number | undefined> {
  const row = await sql.get<Pick<HoldRow, 'token'>>(
    `INSERT INTO serve_hold AS held (principal, name, token, holder, until)
     VALUES ($1, $2, 1, $3, clock_timestamp() + $4 * interval '1 ms')
     ON CONFLICT (principal, name) DO UPDATE SET holder = excluded.holder, until = excluded.until,
       token = held.token + CASE WHEN held.holder = excluded.holder THEN 0 ELSE 1 END
     WHERE held.holder IS NULL OR held.holder = excluded.holder OR held.until <= clock_timestamp()
     RETURNING token`,
    ...[packName(principal), packName(name), holder, time],
  )
  return row?.token
}

/** Lets a hold last for so many milliseconds from now on. False when somebody else has taken it. */
export async function renewHold(sql: Sql, row: HoldRow, time: number): Promise<boolean> {
  const renewed = await sql.run(
    `UPDATE serve_hold SET until = clock_timestamp() + $5 * interval '1 ms' WHERE ${IS_OWN}`,
    ...[...valuesOf(row), time],
  )
  return renewed > 0
}

/** Gives a hold back. One that somebody else has taken is not the caller's to give. */
export async function releaseHold(sql: Sql, row: HoldRow): Promise<void> {
  await sql.run(`UPDATE serve_hold SET holder = NULL, until = NULL WHERE ${IS_OWN}`, ...valuesOf(row))
}

/** Whether a token is the latest of its name. Until the end of the transaction nobody takes the hold over. */
export async function lockHold(sql: Sql, { principal, name }: HoldName, token: number): Promise<boolean> {
  const row = await sql.get(
    `SELECT 1 FROM serve_hold WHERE principal = $1 AND name = $2 AND token = $3 AND holder IS NOT NULL
     FOR NO KEY UPDATE`,
    ...[packName(principal), packName(name), token],
  )
  return row !== undefined
}

const IS_OWN = 'principal = $1 AND name = $2 AND token = $3 AND holder = $4'

function valuesOf({ principal, name, token, holder }: HoldRow) {
  return [packName(principal), packName(name), token, holder] as const
}
