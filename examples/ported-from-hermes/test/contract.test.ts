import { testContextEngine } from '@palimpsest/contract-tests/node-test'
import keepEnds from '../src/index.ts'

testContextEngine({
  name: 'keep-ends',
  create: ({ options, ...host }) => keepEnds.create({ ...options }, host),
  expectCapabilities: [],
})
