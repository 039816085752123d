import { testHost } from '@palimpsest/contract-tests/vitest'
import { openAgent } from './support/host-target.ts'

testHost({ name: 'OpenAI Agents', open: (setup) => openAgent(false, setup) })
testHost({ name: 'OpenAI Agents (streamed)', open: (setup) => openAgent(true, setup) })
