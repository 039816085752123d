import { describe, test } from 'vitest'
import { planHost } from '../../packages/contract-tests/src/host/index.ts'
import { registerSuite } from '../../packages/contract-tests/src/register-suite.ts'
import { openClawTarget } from './openclaw-host.ts'

/** Of a case, in milliseconds: a gateway takes a minute to start on a busy machine, and a turn several seconds. */
const LIMIT_MS = 1_800_000

registerSuite('host adapter: OpenClaw', planHost(openClawTarget, LIMIT_MS), {
  describe,
  test: (name, body) => test(name, body, 2 * LIMIT_MS),
  skip: test.skip,
})
