import { Pool } from 'pg'
import { expect, it } from 'vitest'
import { createPostgresDecisionStore, createPostgresPool, createPostgresStore } from '../../src/index.ts'
import { user } from '../support/append-anyway.ts'
import { startCountingProxy } from '../support/counting-proxy.ts'
import { describeWithPostgres } from '../support/postgres-server.ts'

describeWithPostgres(
  'how often a call waits for the server',
  (server) => {
    /** Trips of an append, a read and a batch of decisions. */
    const costsOf = async (createPool: (url: string) => Pool) => {
      const proxy = await startCountingProxy(server.url)
      const pool = createPool(proxy.url)
      const options = { pool, schema: server.schema() }
      const [store, decisions] = [createPostgresStore(options), createPostgresDecisionStore(options)]
      const tripsOf = async (call: () => Promise<unknown>): Promise<number> => {
        const before = proxy.trips
        await call()
        return proxy.trips - before
      }
      try {
        const session = await store.session({ key: 'a' }, 1)
        const decided = await decisions.session({ key: 'a' }, 1)
        const append = (nextSeq: number) => session.append({ nextSeq, messages: [user('hello')], at: 1 })
        await append(0)
        const source = { message: 0, turn: 0, role: 'user', text: 'hello', hash: 'a'.repeat(64) } as const
        return {
          append: await tripsOf(() => append(1)),
          commit: await tripsOf(() => decided.commit({ sources: [source] }, 1)),
          read: await tripsOf(() => session.head()),
        }
      } finally {
        await Promise.all([store.close(), decisions.close()])
        await pool.end()
        await proxy.close()
      }
    }

    it('is twice for a write and once for a read, and more often with connections that do not pipeline', async () => {
      const own = await costsOf((url) => createPostgresPool({ url }))
      expect(own).toEqual({ append: 2, commit: 2, read: 1 })
      const others = await costsOf((url) => new Pool({ connectionString: url, max: 1 }))
      expect(others).toEqual({ append: 4, commit: 4, read: 2 })
    })
  },
  'local',
)
