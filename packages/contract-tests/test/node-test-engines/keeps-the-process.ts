import { compactedResult, defineContextEngine } from '@palimpsest/core'
import { contractCases } from '../../src/index.ts'
import { testContextEngine } from '../../src/node-test.ts'

/** An engine that passes the one case that is run here, and never lets its process end. */
const engine = defineContextEngine({
  name: 'keeps-the-process',
  apiVersion: 1,
  description: 'Keeps a timer',
  create(_options, { tokens }) {
    setInterval(() => {}, 1_000)
    return {
      shouldCompress: () => false,
      compress: async ({ messages }) =>
        compactedResult({ before: messages, after: messages, tokens, reason: 'nothing' }),
    }
  },
})

testContextEngine({
  name: 'keeps-the-process',
  create: ({ options, ...host }) => engine.create(options, host),
  expectCapabilities: [],
  skip: Object.fromEntries(contractCases.slice(1).map(({ id }) => [id, 'not about the process'])),
})
