import { join } from 'node:path'
import { describe, it } from 'vitest'
import { createSqliteDecisionStore } from '../../src/sqlite.ts'
import { runStoreCase, storeCasesFor } from '../../src/store-tests.ts'

const open = (folder: string) => createSqliteDecisionStore({ path: join(folder, 'decisions.db') })
const target = { name: 'sqlite', create: open, reopen: open }

describe('the store in SQLite', () => {
  for (const storeCase of storeCasesFor(target))
    it(`${storeCase.id} ${storeCase.title}`, () => runStoreCase(storeCase, target))
})
