import type { LcmSession, LcmStore } from '@palimpsest/lcm'
import type { StoreTarget } from '@palimpsest/lcm/store-tests'
import { wrapSessions } from '../../../sqlite-kit/test/wrap-sessions.ts'
import { createPostgresStore } from '../../src/index.ts'
import { createClock } from './create-clock.ts'
import type { PostgresServer } from './postgres-server.ts'

/**
 * The store for the suite of LCM. Each folder is a schema. The suite says what time it is with each lease; this store
 * goes by the server's clock, so that the clock is set first.
 */
export function lcmTarget(
  server: PostgresServer,
  open = (schema: string) => createPostgresStore({ url: server.url, schema, poolSize: 3 }),
): StoreTarget {
  const schemas = new Map<string, string>()
  const openFolder = (folder: string): LcmStore => {
    const schema = schemas.get(folder) ?? server.schema()
    schemas.set(folder, schema)
    return withClock(open(schema), createClock(server, schema, 'lcm'))
  }
  return { name: 'postgres', create: openFolder, reopen: openFolder }
}

/** A store whose server has the time that each request for a lease says. */
function withClock(store: LcmStore, setClock: (time: number) => Promise<void>): LcmStore {
  const wrap = (session: LcmSession): LcmSession => ({
    ...session,
    async acquireLease(request) {
      if (Number.isFinite(request.now)) await setClock(request.now)
      return session.acquireLease(request)
    },
  })
  return wrapSessions(store, wrap)
}
