import { testDiscovery } from '../../src/vitest.ts'
import { coreDiscovery } from './core-discovery.ts'

testDiscovery({ name: 'core', create: ({ root }) => coreDiscovery(root) })
