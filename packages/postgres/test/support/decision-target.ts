import type { DecisionSession, DecisionStore } from '@palimpsest/decisions'
import type { StoreTarget } from '@palimpsest/decisions/store-tests'
import { wrapSessions } from '../../../sqlite-kit/test/wrap-sessions.ts'
import { createPostgresDecisionStore } from '../../src/index.ts'
import { createClock } from './create-clock.ts'
import type { PostgresServer } from './postgres-server.ts'

/**
 * The store for the suite of decisions. Each folder is a schema. The suite says what time it is with each taking of a
 * job; this store goes by the server's clock, so that the clock is set first.
 */
export function decisionTarget(server: PostgresServer): StoreTarget {
  const schemas = new Map<string, string>()
  const open = (folder: string): DecisionStore => {
    const schema = schemas.get(folder) ?? server.schema()
    schemas.set(folder, schema)
    return withClock(
      createPostgresDecisionStore({ url: server.url, schema, poolSize: 3 }),
      createClock(server, schema, 'decisions'),
    )
  }
  return { name: 'postgres', create: open, reopen: open }
}

function withClock(store: DecisionStore, setClock: (time: number) => Promise<void>): DecisionStore {
  return wrapSessions(store, (session: DecisionSession) => ({
    ...session,
    async takeJob(id, input) {
      if (Number.isFinite(input.at)) await setClock(input.at)
      return session.takeJob(id, input)
    },
  }))
}
