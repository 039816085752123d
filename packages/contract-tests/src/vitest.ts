import { describe, test } from 'vitest'
import { type ContractTarget, TARGET_DEFAULTS } from './contract-target.ts'
import type { HostTarget } from './host/host-target.ts'
import { HOST_CASE_TIMEOUT_MS, planHost } from './host/plan-host.ts'
import { planContract } from './plan-contract.ts'
import { registerSuite, type TestRunner } from './register-suite.ts'

export type { ContractHost, ContractTarget } from './contract-target.ts'
export type { HostConversation, HostSetup, HostTarget, HostTool } from './host/host-target.ts'

/** Times that a test may take what its case may: that is time on the processor, which a busy machine shares out. */
const GRACE = 10

const runnerFor = (caseTimeoutMs: number): TestRunner => ({
  describe,
  test: (name, body) => test(name, body, caseTimeoutMs * GRACE),
  skip: (name) => test.skip(name, () => {}),
})

/** Registers the suite for an engine as tests of vitest. Call it at the top level of a test file. */
export function testContextEngine(target: ContractTarget): void {
  const { name, caseTimeoutMs = TARGET_DEFAULTS.caseTimeoutMs } = target
  registerSuite(`context engine contract: ${name}`, planContract(target), runnerFor(caseTimeoutMs))
}

/** Registers the suite for an adapter as tests of vitest. Call it at the top level of a test file. */
export function testHost(target: HostTarget): void {
  registerSuite(`host adapter: ${target.name}`, planHost(target), runnerFor(HOST_CASE_TIMEOUT_MS))
}
