import { describe, it } from 'vitest'
import { createMemoryDecisionStore } from '../../src/memory/create-memory-store.ts'
import { runStoreCase, storeCasesFor } from '../../src/store-tests.ts'

const target = { name: 'memory', create: () => createMemoryDecisionStore() }

describe('the store in memory', () => {
  for (const storeCase of storeCasesFor(target))
    it(`${storeCase.id} ${storeCase.title}`, () => runStoreCase(storeCase, target))
})
