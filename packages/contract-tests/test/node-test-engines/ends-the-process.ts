import { defineContextEngine } from '@palimpsest/core'
import { testContextEngine } from '../../src/node-test.ts'

/** An engine that ends the process of its tests. */
const engine = defineContextEngine({
  name: 'ends-the-process',
  apiVersion: 1,
  description: 'Ends the process',
  create: () => ({ shouldCompress: () => false, compress: () => process.exit(0) }),
})

testContextEngine({
  name: 'ends-the-process',
  create: ({ options, ...host }) => engine.create(options, host),
  expectCapabilities: [],
})
