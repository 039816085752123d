import { type LcmStore, type SessionRef, StoreError, type StoreStats } from '@palimpsest/lcm'
import {
  DEFAULT_PRINCIPAL,
  dumpRecords,
  packName,
  planSession,
  sessionNotFound,
  toStoredSession,
} from '@palimpsest/lcm/store-kit'
import { createDatabase } from '../database/create-database.ts'
import type { Sql } from '../database/sql.ts'
import type { PostgresOptions } from '../postgres-options.ts'
import { checkStore, repairStore } from './check-store.ts'
import { listSessions } from './list-sessions.ts'
import { sessionHandle } from './postgres-session.ts'
import { readRecords } from './read-records.ts'
import { restoreSessions } from './restore-sessions.ts'
import { LCM_TABLES } from './schema.ts'
import { findSession, insertSession } from './session-row.ts'
import { LCM_FORMAT } from './store-format.ts'
import { writePlan } from './write-plan.ts'

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
      return row === undefined ? null : sessionHandle(sql, database, row)
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
        const row = await insertSession(sql, plan.session, null)
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
    stats: () => database.read({}, readStats),
    check: () => checkStore(database),
    repair: () => repairStore(database),
    async *dump(ref) {
      const scope = { principal: packName(ref.principal) }
      const row = await database.read(scope, (sql) => findSession(sql, ref))
      if (row === undefined) throw sessionNotFound(ref.key)
      yield* dumpRecords(toStoredSession(row), (type, range) =>
        database.read(scope, (sql) => readRecords(sql, row.no, type, range)),
      )
    },
    restore: (records) => restoreSessions(database, records),
    close: () => database.close(),
  }
}

/** Sums over the sessions, which count what they hold. */
async function readStats(sql: Sql): Promise<StoreStats> {
  const stats = await sql.get<StoreStats>(
    `SELECT count(*) AS sessions, coalesce(sum(next_seq - fork_seq), 0)::bigint AS messages,
       coalesce(sum(next_summary - fork_summary), 0)::bigint AS summaries,
       coalesce(sum(characters), 0)::bigint AS characters,
       (SELECT sum(pg_total_relation_size(name::regclass)) FROM unnest($1::text[]) AS name)::bigint AS bytes
     FROM lcm_session`,
    LCM_TABLES,
  )
  return stats ?? { sessions: 0, messages: 0, summaries: 0, characters: 0 }
}
