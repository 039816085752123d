import { testContextEngine } from '../../src/node-test.ts'
import { notQuiteRight } from './not-quite-right.ts'

testContextEngine(notQuiteRight)
