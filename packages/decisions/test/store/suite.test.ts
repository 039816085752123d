import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'vitest'
import { createSqliteDecisionStore } from '../../src/sqlite.ts'
import { runStoreCase, type StoreTarget, storeCasesFor } from '../../src/store-tests.ts'

const inFile = (folder: string) => {
  mkdirSync(folder, { recursive: true })
  return createSqliteDecisionStore({ path: join(folder, 'decisions.db') })
}
const targets: readonly StoreTarget[] = [
  { name: 'memory', create: () => createSqliteDecisionStore({ path: ':memory:' }) },
  { name: 'sqlite', create: inFile, reopen: inFile },
]

describe.each(targets)('the store of decisions in $name', (target) => {
  for (const storeCase of storeCasesFor(target))
    it(`${storeCase.id} ${storeCase.title}`, () => runStoreCase(storeCase, target))
})
