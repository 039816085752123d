import { expect, it } from 'vitest'
import { createPostgresStore } from '../../src/index.ts'
import { describeWithPostgres } from '../support/postgres-server.ts'

describeWithPostgres('a job in PostgreSQL', (server) => {
  it('goes by the clock of the server: a machine whose clock is wrong takes none from another one', async () => {
    const store = createPostgresStore({ url: server.url, schema: server.schema(), poolSize: 2 })
    try {
      const session = await store.session({ key: 'a' }, 1)
      await session.record({ scope: 'a', events: [], jobs: [{ id: 'j', kind: 'read', body: 1 }] })
      expect(await session.takeJob('j', { holder: 'right', now: Date.now(), ttl: 60_000 })).toBe(true)
      const late = { holder: 'wrong', now: Date.now() + 86_400_000, ttl: 60_000 }
      expect(await session.takeJob('j', late)).toBe(false)
      await session.takeJob('j', { holder: 'right', now: Date.now(), ttl: 0 })
      expect(await session.takeJob('j', { ...late, now: 0 })).toBe(true)
    } finally {
      await store.close()
    }
  })
})
