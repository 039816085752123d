import type { LcmSession, LcmStore } from '@palimpsest/lcm'
import type { StoreTarget } from '@palimpsest/lcm/store-tests'
import { createPostgresStore } from '../../src/index.ts'
import type { PostgresServer } from './postgres-server.ts'

/**
 * The store for the suite of LCM. Each folder is a schema. The suite says what time it is with each lease; this store
 * goes by the server's clock, so that the clock is set first.
 */
export function lcmTarget(server: PostgresServer): StoreTarget {
  const schemas = new Map<string, string>()
  const open = (folder: string): LcmStore => {
    const schema = schemas.get(folder) ?? server.schema()
    schemas.set(folder, schema)
    return withSetClock(createPostgresStore({ url: server.url, schema, poolSize: 3 }), server, schema)
  }
  return { name: 'postgres', create: open, reopen: open }
}

/** A store whose server has the time that each request for a lease says. */
function withSetClock(store: LcmStore, server: PostgresServer, schema: string): LcmStore {
  const wrap = (session: LcmSession): LcmSession => ({
    ...session,
    fork: async (input) => wrap(await session.fork(input)),
    async acquireLease(request) {
      if (Number.isFinite(request.now))
        await server.pool.query(
          `CREATE OR REPLACE FUNCTION ${schema}.lcm_clock() RETURNS double precision LANGUAGE sql VOLATILE
             AS 'SELECT (${request.now})::double precision'`,
        )
      return session.acquireLease(request)
    },
  })
  return {
    ...store,
    session: async (ref, at) => wrap(await store.session(ref, at)),
    async find(ref) {
      const session = await store.find(ref)
      return session && wrap(session)
    },
  }
}
