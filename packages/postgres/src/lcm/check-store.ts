import type { StoreFault } from '@palimpsest/lcm'
import { unpackName } from '@palimpsest/lcm/store-kit'
import type { Database } from '../database/create-database.ts'

/** Rows of one kind that are named. */
const MAX_ROWS = 100

/**
 * Rows whose session is not there, or belongs to another principal. What a session counts and does not hold, `verifySession`
 * finds; pages and trees are for the server's own `pg_amcheck`.
 */
export function checkStore(database: Database): Promise<StoreFault[]> {
  return database.read({}, async (sql) => {
    const faults: StoreFault[] = []
    for (const [kind, table, number] of [
      ['m', 'lcm_message', 'seq'],
      ['s', 'lcm_summary', 'number'],
    ] as const) {
      const rows = await sql.all<{ readonly principal: string; readonly number: number }>(
        `SELECT row.principal, ${number} AS number FROM ${table} AS row WHERE NOT EXISTS (
           SELECT 1 FROM lcm_session WHERE no = session AND lcm_session.principal = row.principal
         ) LIMIT ${MAX_ROWS}`,
      )
      for (const row of rows) {
        const ref = `${kind}${row.number}`
        const message = `${ref} belongs to no session.`
        faults.push({
          code: 'stray-row',
          message,
          principal: unpackName(row.principal),
          ref,
          repairable: false,
        })
      }
    }
    return faults
  })
}
