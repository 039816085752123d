import { testHost } from '@palimpsest/contract-tests/vitest'
import { agentTarget, deepAgentTarget, streamedTarget } from './support/host-target.ts'

testHost(agentTarget)
testHost(streamedTarget)
testHost(deepAgentTarget)
