import { join } from 'node:path'
import { describe, it } from 'vitest'
import { createSqliteStore } from '../../src/sqlite.ts'
import { runStoreCase, storeCasesFor } from '../../src/store-tests.ts'

const open = (folder: string) => createSqliteStore({ path: join(folder, 'store.db') })
const target = { name: 'sqlite', create: open, reopen: open }

describe('the store in SQLite', () => {
  for (const storeCase of storeCasesFor(target))
    it(`${storeCase.id} ${storeCase.title}`, () => runStoreCase(storeCase, target))
})
