import { testContextEngine } from '@palimpsest/contract-tests/vitest'
import lcm from '@palimpsest/lcm'
import { recall } from '../../lcm/test/contract-target.ts'
import decisions from '../src/index.ts'
import target from './contract-target.ts'

testContextEngine({ ...target, propertyRuns: 5 })

testContextEngine({
  ...target,
  name: 'decisions, as the seed describes it',
  create: ({ options, ...host }) => decisions.create({ profile: 'seed', ...options }, host),
  propertyRuns: 3,
})

testContextEngine({
  ...target,
  name: 'decisions over lcm, in one file',
  create: ({ options, ...host }) => decisions.create({ compaction: { engine: lcm }, ...options }, host),
  recall,
  expectCapabilities: ['tools', 'selection', 'pruning', 'summarizer', 'persistence', 'lossless'],
  propertyRuns: 3,
})
