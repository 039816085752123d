import type { Message } from '@palimpsest/core'
import { packName } from '@palimpsest/lcm/store-kit'
import type { Database } from '@palimpsest/postgres/database'
import { createPostgresLocks } from '../../../stores/postgres-locks.ts'
import type { ServiceStore } from '../service-store.ts'
import { addCostRow, sumCosts } from './cost-rows.ts'
import { insertTurn } from './insert-turn.ts'
import { beginSession, findMiscounted, findSession, listSessions } from './session-rows.ts'

/**
 * The service's record in a database of `SERVE_TABLES`, for any number of workers.
 *
 * @param principal whose sessions they are; those of others are not seen.
 */
export function createPostgresServiceStore(database: Database, principal: string): ServiceStore {
  const packed = packName(principal)
  const scope = { principal: packed }
  const within = (session: number) => ({ ...scope, session })
  const locks = createPostgresLocks(database, { principal })

  return {
    kind: 'postgres',
    locks,
    find: (session) => database.read(scope, (sql) => findSession(sql, packed, session)),
    begin: (session, repoName, at, least = 1) =>
      database.write(scope, (sql) => beginSession(sql, packed, { session, repoName, at, least })),
    conversations: () => database.read(scope, (sql) => listSessions(sql, packed)),
    async messages(conversation) {
      const query = 'SELECT json FROM serve_message WHERE session = $1 ORDER BY seq'
      const rows = await database.read(scope, (sql) => sql.all<{ json: string }>(query, conversation))
      return rows.map(({ json }) => JSON.parse(json) as Message)
    },
    findResponse: (conversation, requestId) =>
      database.read(scope, (sql) =>
        sql.get(
          'SELECT request_hash AS hash, response FROM serve_turn WHERE session = $1 AND request = $2',
          ...[conversation, requestId],
        ),
      ),
    commitTurn: (turn) =>
      database.write(within(turn.conversation), (sql) => insertTurn(sql, { principal, packed }, turn)),
    addCost: (conversation, call) =>
      database.write(within(conversation), (sql) => addCostRow(sql, packed, conversation, call)),
    costs: (conversation) => database.read(scope, (sql) => sumCosts(sql, packed, conversation)),
    async check() {
      await database.read(scope, (sql) => sql.get('SELECT EXISTS (SELECT 1 FROM serve_session)'))
    },
    faults: () => database.read(scope, (sql) => findMiscounted(sql, packed)),
    async close() {
      await locks.close()
      await database.close()
    },
  }
}
