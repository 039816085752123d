import { parseOptions } from '@palimpsest/core/options'
import type { DecisionSessionRef, DecisionStore } from '@palimpsest/decisions'
import { checkRef, DEFAULT_PRINCIPAL, timeSchema } from '@palimpsest/decisions/store-kit'
import { packName } from '@palimpsest/lcm/store-kit'
import { createDatabase } from '../database/create-database.ts'
import type { PostgresOptions } from '../postgres-options.ts'
import { readEvents, readScopes } from './event-rows.ts'
import { createPostgresDecisionSession } from './postgres-decision-session.ts'
import { findSession, insertSession, listSessions } from './session-row.ts'
import { DECISION_FORMAT } from './store-format.ts'

/**
 * The store of decisions in a PostgreSQL database, which many machines may use at once. The first call connects, and
 * makes the tables. A write is durable when its promise resolves, as far as the server is told to be. Jobs are taken
 * by the server's clock.
 *
 * @throws InvalidOptionError names the option that is wrong.
 */
export function createPostgresDecisionStore(options: PostgresOptions): DecisionStore {
  const database = createDatabase(options, DECISION_FORMAT)
  const scopeOf = (principal: string) => ({ principal: packName(principal) })

  const find = async (ref: Required<DecisionSessionRef>) => {
    const row = await database.read(scopeOf(ref.principal), (sql) => findSession(sql, ref))
    return row === undefined ? null : createPostgresDecisionSession(database, row, ref)
  }

  return {
    kind: 'postgres',
    location: database.location,
    async session(ref, at) {
      parseOptions(timeSchema(), at, 'at')
      const name = checkRef(ref)
      const known = await find(name)
      if (known !== null) return known
      await database.write(scopeOf(name.principal), (sql) => insertSession(sql, name, at))
      const made = await find(name)
      if (made === null)
        throw DECISION_FORMAT.error('STORE_CORRUPT', `the session ${name.key} could not be made`)
      return made
    },
    async find(ref) {
      return find(checkRef(ref))
    },
    list: ({ principal } = {}) =>
      database.read(principal === undefined ? {} : scopeOf(principal), (sql) => listSessions(sql, principal)),
    events: ({ principal = DEFAULT_PRINCIPAL, ...query }) =>
      database.read(scopeOf(principal), (sql) => readEvents(sql, principal, query)),
    scopes: (principal = DEFAULT_PRINCIPAL) =>
      database.read(scopeOf(principal), (sql) => readScopes(sql, principal)),
    close: () => database.close(),
  }
}
