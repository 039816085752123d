import { describe, test } from 'vitest'
import { planHost } from '../../packages/contract-tests/src/host/index.ts'
import { registerSuite } from '../../packages/contract-tests/src/register-suite.ts'
import { openClawTarget } from './openclaw-host.ts'

// With the time limit of the clients' tests: a gateway takes half a minute to start on a busy machine.
registerSuite('host adapter: OpenClaw', planHost(openClawTarget), { describe, test, skip: test.skip })
