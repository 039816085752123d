import { type LcmStore, type SessionRef, StoreError } from '@palimpsest/lcm'
import { checkKey, checkTime, DEFAULT_PRINCIPAL, packName } from '@palimpsest/lcm/store-kit'
import { createDatabase } from '../database/create-database.ts'
import type { PostgresOptions } from '../postgres-options.ts'
import { checkStore, repairStore } from './check-store.ts'
import { dumpSession } from './dump-session.ts'
import { listSessions } from './list-sessions.ts'
import { sessionHandle } from './postgres-session.ts'
import { restoreSessions } from './restore-sessions.ts'
import { findSession, insertSession, insertVersion } from './session-row.ts'
import { LCM_FORMAT } from './store-format.ts'
import { readStats } from './store-stats.ts'

/**
 * The store of LCM in a PostgreSQL database (14 or later, with the extension `pg_trgm`), which many machines may use at
 * once. The first call connects, and makes the tables. A write is durable when its promise resolves, as far as the
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
      checkTime('at', at)
      checkKey(ref.key)
      const known = await find(ref)
      if (known !== null) return known
      const { principal = DEFAULT_PRINCIPAL, key } = ref
      await database.write({ principal: packName(principal) }, async (sql) => {
        const row = await insertSession(sql, { principal, key, at, replaced: [] })
        // Another worker may have made it a moment ago.
        if (row === undefined) return
        await insertVersion(sql, row, { version: 0, reason: 'start', nextSeq: 0, at, summaries: [] })
      })
      const made = await find(ref)
      if (made === null) throw LCM_FORMAT.error('STORE_CORRUPT', `the session ${key} could not be made`)
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
    dump: (ref) => dumpSession(database, ref),
    restore: (records) => restoreSessions(database, records),
    close: () => database.close(),
  }
}
