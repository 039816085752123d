import { runStoreCase, storeCasesFor } from '@palimpsest/lcm/store-tests'
import { it } from 'vitest'
import { lcmTarget } from '../support/lcm-target.ts'
import { describeWithPostgres } from '../support/postgres-server.ts'

describeWithPostgres('the store of LCM in PostgreSQL', (server) => {
  const target = lcmTarget(server)
  for (const storeCase of storeCasesFor(target))
    it(`${storeCase.id} ${storeCase.title}`, () => runStoreCase(storeCase, target))
})
