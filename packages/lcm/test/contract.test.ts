import { testContextEngine } from '@palimpsest/contract-tests/vitest'
import lcm, { createMemoryStore, type LcmStore } from '../src/index.ts'
import target, { recall } from './contract-target.ts'

/** A store in memory lives as long as its folder would. */
const stores = new Map<string, LcmStore>()

testContextEngine({
  ...target,
  name: 'lcm, in memory',
  create({ storage, options, ...host }) {
    const store = stores.get(storage) ?? createMemoryStore()
    stores.set(storage, store)
    return lcm.create({ store, ...options }, host)
  },
  propertyRuns: 25,
})

testContextEngine({ ...target, propertyRuns: 10 })

testContextEngine({
  name: 'lcm, without a store of its own',
  create: ({ options, storage: _, ...host }) => lcm.create({ ...options }, host),
  recall,
  expectCapabilities: ['tools', 'pruning', 'summarizer', 'lossless'],
  propertyRuns: 3,
})
