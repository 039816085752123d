import { testContextEngine } from '../src/node-test.ts'
import { onNodeTest } from './on-node-test-target.ts'

// Run by node-test.test.ts with the test runner of Node.
testContextEngine(onNodeTest)
