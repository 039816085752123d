import { describe, it } from 'vitest'
import { createMemoryStore } from '../../src/memory/create-memory-store.ts'
import { runStoreCase, storeCasesFor } from '../../src/store-tests.ts'

const target = { name: 'memory', create: () => createMemoryStore() }

describe('the store in memory', () => {
  for (const storeCase of storeCasesFor(target))
    it(`${storeCase.id} ${storeCase.title}`, () => runStoreCase(storeCase, target))
})
