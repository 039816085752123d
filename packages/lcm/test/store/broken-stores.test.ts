import { describe, expect, it } from 'vitest'
import { runStoreCase, storeCases } from '../../src/store-tests.ts'
import { BROKEN_STORES } from './broken-stores.ts'

describe('the suite of stores', () => {
  for (const [fault, found, create] of BROKEN_STORES)
    it(`finds a store that ${fault}`, async () => {
      const storeCase = storeCases.find(({ id }) => id === found)
      if (storeCase === undefined) throw new Error(`there is no case ${found}`)
      await expect(runStoreCase(storeCase, { name: 'broken', create })).rejects.toThrow()
    })

  it('has a different id and a different title for each case', () => {
    expect(new Set(storeCases.map(({ id }) => id)).size).toBe(storeCases.length)
    expect(new Set(storeCases.map(({ title }) => title)).size).toBe(storeCases.length)
    expect(storeCases.length).toBeGreaterThan(45)
  })
})
