import { testContextEngine } from '@palimpsest/contract-tests/vitest'
import lcm from '../src/index.ts'
import target, { recall } from './contract-target.ts'

testContextEngine({ ...target, propertyRuns: 5 })

// Its store is in memory.
testContextEngine({
  name: 'lcm, without a store of its own',
  create: ({ options, storage: _, ...host }) => lcm.create({ ...options }, host),
  recall,
  expectCapabilities: ['tools', 'pruning', 'summarizer', 'lossless'],
  propertyRuns: 5,
})
