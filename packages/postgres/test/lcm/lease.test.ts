import { setTimeout as wait } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { createPostgresStore } from '../../src/index.ts'
import { describeWithPostgres } from '../support/postgres-server.ts'

describeWithPostgres('a lease in PostgreSQL', (server) => {
  it('runs out by the server’s clock, whatever time its holders believe it is, and is one of many at once', async () => {
    const store = createPostgresStore({ url: server.url, schema: server.schema() })
    try {
      const session = await store.session({ key: 'a' }, 1)
      const holders = Array.from({ length: 8 }, (_, index) => `worker ${index}`)
      const leases = await Promise.all(
        // Their clocks differ by centuries.
        holders.map((holder, index) => session.acquireLease({ holder, now: index * 1e12, ttl: 60_000 })),
      )
      const given = leases.filter((lease) => lease !== null)
      expect(given).toHaveLength(1)
      const [first] = given
      if (first === undefined) throw new Error('one of them has it')
      expect(await session.acquireLease({ holder: 'next', now: 8e15, ttl: 1 })).toBeNull()
      // Its holder shortens it, and dies.
      await session.acquireLease({ holder: first.holder, now: 8e15, ttl: 50 })
      let next = null
      while (next === null) {
        await wait(10)
        next = await session.acquireLease({ holder: 'next', now: 0, ttl: 60_000 })
      }
      expect(next.token).toBeGreaterThan(first.token)
      const commit = { version: 0, create: [], summaries: [], reason: 'compaction', at: 1 } as const
      await expect(session.commit({ ...commit, lease: first })).rejects.toMatchObject({
        code: 'STORE_CONFLICT',
      })
      expect((await session.commit({ ...commit, lease: next })).version).toBe(1)
    } finally {
      await store.close()
    }
  })
})
