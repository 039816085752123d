import { expect, it } from 'vitest'
import { talk } from '../../../lcm/src/store-tests/harness.ts'
import { createPostgresStore } from '../../src/index.ts'
import { describeWithPostgres } from '../support/postgres-server.ts'

describeWithPostgres('sessions in which something matches', (server) => {
  it('are named by the index, and are all sessions where it takes too long to tell', async () => {
    const schema = server.schema()
    const store = createPostgresStore({ url: server.url, schema })
    try {
      await talk(store, 'one', 'a heron')
      await talk(store, 'two', 'a walrus')
      const where = [[{ kind: 'word', text: 'heron' }]] as const
      const named = async () =>
        (await store.list({ matching: { where, among: 'messages' }, limit: 9 })).map(({ key }) => key)
      expect(await named()).toEqual(['one'])
      const client = await server.pool.connect()
      try {
        await client.query(`BEGIN; LOCK TABLE ${schema}.lcm_message`)
        expect(await named()).toEqual(['one', 'two'])
      } finally {
        await client.query('ROLLBACK')
        client.release()
      }
    } finally {
      await store.close()
    }
  })
})
