import { testHost } from '@palimpsest/contract-tests/vitest'
import { agentTarget, deepAgentTarget } from './support/host-target.ts'

testHost(agentTarget)
testHost(deepAgentTarget)
