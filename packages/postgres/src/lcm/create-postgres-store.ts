import { type LcmStore, type SessionRef, StoreError } from '@palimpsest/lcm'
import { DEFAULT_PRINCIPAL, packName, planSession } from '@palimpsest/lcm/store-kit'
import { createDatabase } from '../database/create-database.ts'
import type { PostgresOptions } from '../postgres-options.ts'
import { checkStore } from './check-store.ts'
import { listSessions } from './list-sessions.ts'
import { sessionHandle, writePlan } from './postgres-session.ts'
import { LCM_FORMAT } from './schema.ts'
import { findSession, insertSession } from './session-row.ts'

/**
 * The store of LCM in a PostgreSQL database (14 or later, with the extension `pg_trgm`), which many machines may use
 * at once. The first call connects, and makes the tables. A write is durable when its promise resolves, as far as the
 * server is told to be. Leases go by the server's clock.
 *
 * @throws InvalidOptionError names the option that is wrong.
 */
export function createPostgresStore(options: PostgresOptions): LcmStore {
  const database = createDatabase(options, LCM_FORMAT)

  const find = ({ principal = DEFAULT_PRINCIPAL, key }: SessionRef) =>
    database.read({ principal: packName(principal) }, async (sql) => {
      const row = await findSession(sql, { principal, key })
      return row === undefined ? null : sessionHandle(database, row)
    })

  const list: LcmStore['list'] = (query) =>
    database.read(
      { principal: query.principal === undefined ? undefined : packName(query.principal) },
      (sql) => listSessions(sql, query),
    )

  return {
    kind: 'postgres',
    location: database.location,
    async session(ref, at) {
      const plan = planSession(ref, at)
      const known = await find(ref)
      if (known !== null) return known
      await database.write({ principal: packName(plan.session.principal) }, async (sql) => {
        const row = await insertSession(sql, plan.session)
        if (row !== undefined) writePlan(sql, row, plan)
      })
      const made = await find(ref)
      if (made === null) throw LCM_FORMAT.error('STORE_CORRUPT', `the session ${ref.key} could not be made`)
      return made
    },
    find,
    async list({ matching, ...query }) {
      if (matching === undefined) return list(query)
      try {
        return await list({ ...query, matching })
      } catch (error) {
        // Where it takes too long to tell them apart, such as under policies, every session counts.
        if (!StoreError.isInstance(error) || error.code !== 'STORE_BUSY') throw error
        return list(query)
      }
    },
    check: () => checkStore(database),
    repair: () => checkStore(database),
    close: () => database.close(),
  }
}
