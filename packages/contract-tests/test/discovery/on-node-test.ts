import { testDiscovery } from '../../src/node-test.ts'
import { coreDiscovery } from './core-discovery.ts'

// Run by node-test.test.ts with the test runner of Node.
testDiscovery({
  name: 'core',
  create: ({ root }) => coreDiscovery(root),
  skip: { D28: 'waiting is tested elsewhere' },
})
