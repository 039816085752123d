import { testHost } from '../../src/vitest.ts'
import { openLoopHost } from './loop-host.ts'

testHost({ name: 'a loop of its own', open: openLoopHost })
