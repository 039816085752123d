import { describe, test } from 'vitest'
import { planHost } from '../../packages/contract-tests/src/host/index.ts'
import { registerSuite } from '../../packages/contract-tests/src/register-suite.ts'
import { openClawTarget } from './openclaw-host.ts'

/** A gateway takes a minute to start on a busy machine, and a turn several seconds, in milliseconds. */
const LIMIT_MS = { case: 1_800_000, call: 240_000 }

registerSuite('host adapter: OpenClaw', planHost(openClawTarget, { limitMs: LIMIT_MS.call }), {
  describe,
  test: (name, body) => test(name, body, LIMIT_MS.case),
  skip: test.skip,
})
