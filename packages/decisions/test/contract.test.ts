import { join } from 'node:path'
import { testContextEngine } from '@palimpsest/contract-tests/vitest'
import lcm from '@palimpsest/lcm'
import { createSqliteStore } from '@palimpsest/lcm/sqlite'
import { recall } from '../../lcm/test/contract-target.ts'
import decisions from '../src/index.ts'
import target from './contract-target.ts'

testContextEngine({ ...target, propertyRuns: 5 })

testContextEngine({
  name: 'decisions, as the seed describes it, without a store of its own',
  create: ({ options, storage: _, ...host }) => decisions.create({ profile: 'seed', ...options }, host),
  expectCapabilities: ['tools', 'selection', 'summarizer'],
  propertyRuns: 3,
})

testContextEngine({
  name: 'decisions over lcm, in SQLite files',
  create({ storage, options, ...host }) {
    const inner = { store: () => createSqliteStore({ path: join(storage, 'lcm.db') }) }
    const compaction = { engine: lcm, options: inner }
    const own = target.create({ storage, options: { compaction, ...options }, ...host })
    return own
  },
  recall,
  expectCapabilities: ['tools', 'selection', 'pruning', 'summarizer', 'persistence', 'lossless'],
  propertyRuns: 3,
})
