import { runStoreCase, storeCasesFor } from '@palimpsest/lcm/store-tests'
import { Pool } from 'pg'
import { expect, it } from 'vitest'
import { createPostgresStore } from '../../src/index.ts'
import { lcmTarget } from '../support/lcm-target.ts'
import { describeWithPostgres } from '../support/postgres-server.ts'
import { wrapClient } from '../support/wrap-client.ts'

/** Cases that use most of what a store can do. */
const CASES = ['S55', 'S62', 'S84', 'S90', 'S94', 'S102']

/** Connections that forget all about their session behind each transaction, as behind a transaction pooler. */
const ForgetfulClient = wrapClient(async (text, client) => {
  if (/(COMMIT|ROLLBACK)$/.test(text)) await client.query('DISCARD ALL')
})

describeWithPostgres('a store in PostgreSQL behind a transaction pooler', (server) => {
  const target = lcmTarget(server, (schema) => {
    const pool = new Pool({ connectionString: server.url, max: 2, Client: ForgetfulClient })
    const store = createPostgresStore({ pool, schema })
    return {
      ...store,
      async close() {
        await store.close()
        if (!pool.ended) await pool.end()
      },
    }
  })
  const cases = storeCasesFor(target).filter(({ id }) => CASES.includes(id))

  it('needs nothing of a connection from one transaction to the next', async () => {
    expect(cases).toHaveLength(CASES.length)
    for (const storeCase of cases) await runStoreCase(storeCase, target)
  })
})
