import { expect, it } from 'vitest'
import { openSession, stored, system, texts, turns } from '../../../lcm/test/engine/harness.ts'
import { createPostgresStore } from '../../src/index.ts'
import { describeWithPostgres } from '../support/postgres-server.ts'
import { saidBehind, startWorker, untilSaid } from '../support/start-worker.ts'

describeWithPostgres('a worker that stands still for longer than its lease while it compacts', (server) => {
  it('cannot put its summaries in force when it goes on: another one does, once', async () => {
    const schema = server.schema()
    const store = createPostgresStore({ url: server.url, schema, poolSize: 2 })
    await store.list({ limit: 1 })
    const start = () => startWorker('compactor', server.url, schema)
    try {
      const paused = start()
      await untilSaid(paused, 1, 'asked')
      paused.pause()
      // An hour later.
      await server.pool.query(`UPDATE ${schema}.session SET lease_until = 0`)
      const other = start()
      await untilSaid(other, 1, 'asked')
      // Nothing is committed yet: by the frontier alone, the first one would be in time.
      paused.resume()
      paused.tell('go on')
      expect(await paused.ended).toEqual({ code: 0, errors: '' })
      const session = await openSession(store)
      expect((await session.head()).version).toBe(0)
      other.tell('go on')
      expect(await other.ended).toEqual({ code: 0, errors: '' })
      expect([paused, other].flatMap((worker) => saidBehind(worker, 'ended'))).toEqual([
        'deferred\tanother-worker-was-faster',
        'compacted\tsummarised',
      ])
      expect((await session.head()).version).toBe(1)
      expect(await stored(session)).toEqual(texts([system(), ...turns(14)]))
      expect(await store.verify()).toEqual([])
    } finally {
      await store.close()
    }
  })
})
