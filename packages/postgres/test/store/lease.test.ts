import { expect, it } from 'vitest'
import { createPostgresStore } from '../../src/index.ts'
import { describeWithPostgres } from '../support/postgres-server.ts'

describeWithPostgres('a lease in PostgreSQL', (server) => {
  it('goes by the clock of the server: a machine whose clock is wrong takes none from another one', async () => {
    const store = createPostgresStore({ url: server.url, schema: server.schema(), poolSize: 2 })
    try {
      const session = await store.session({ key: 'a' }, 1)
      expect(await session.acquireLease({ holder: 'right', now: Date.now(), ttl: 60_000 })).not.toBeNull()
      const late = { holder: 'wrong', now: Date.now() + 86_400_000, ttl: 60_000 }
      expect(await session.acquireLease(late)).toBeNull()
      await session.acquireLease({ holder: 'right', now: Date.now(), ttl: 0 })
      expect(await session.acquireLease({ ...late, now: 0 })).toMatchObject({ token: 2 })
    } finally {
      await store.close()
    }
  })
})
