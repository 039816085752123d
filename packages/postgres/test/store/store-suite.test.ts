import { runStoreCase, type StoreTarget, storeCases } from '@palimpsest/store/suite'
import { it } from 'vitest'
import { createPostgresStore } from '../../src/index.ts'
import { describeWithPostgres } from '../support/postgres-server.ts'

describeWithPostgres('the store in PostgreSQL', (server) => {
  const schemas = new Map<string, string>()
  const open = (folder: string) => {
    const schema = schemas.get(folder) ?? server.schema()
    schemas.set(folder, schema)
    return createPostgresStore({ url: server.url, schema, poolSize: 3 })
  }
  const target: StoreTarget = { name: 'postgres', create: open, reopen: open }
  it.each(storeCases)('$id $title', (one) => runStoreCase(one, target))
})
