import { runStoreCase, storeCasesFor } from '@palimpsest/decisions/store-tests'
import { it } from 'vitest'
import { decisionTarget } from '../support/decision-target.ts'
import { describeWithPostgres } from '../support/postgres-server.ts'

describeWithPostgres('the store of decisions in PostgreSQL', (server) => {
  const target = decisionTarget(server)
  for (const storeCase of storeCasesFor(target))
    it(`${storeCase.id} ${storeCase.title}`, () => runStoreCase(storeCase, target))
})
