import { runStoreCase, type StoreTarget, storeCases } from '@palimpsest/store/suite'
import { Pool } from 'pg'
import { it } from 'vitest'
import { createPostgresStore } from '../../src/index.ts'
import { describeWithPostgres } from '../support/postgres-server.ts'
import { wrapClient } from '../support/wrap-client.ts'

/** Connections that forget all about their session after each transaction, as those of a transaction pooler. */
const ForgetfulClient = wrapClient(async (text, client) => {
  if (/(COMMIT|ROLLBACK)$/.test(text)) await client.query('DISCARD ALL')
})

describeWithPostgres('a store in PostgreSQL behind a transaction pooler', (server) => {
  const open = () => {
    const pool = new Pool({ connectionString: server.url, max: 2, Client: ForgetfulClient })
    const store = createPostgresStore({ pool, schema: server.schema() })
    return {
      ...store,
      async close() {
        await store.close()
        if (!pool.ended) await pool.end()
      },
    }
  }
  const target: StoreTarget = { name: 'postgres', create: open }
  const cases = storeCases.filter(({ requires }) => requires === undefined)

  it('needs nothing of a connection from one transaction to the next', async () => {
    for (const storeCase of cases) await runStoreCase(storeCase, target)
  })
})
