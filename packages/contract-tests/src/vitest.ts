import { describe, test } from 'vitest'
import type { ContractTarget } from './contract-target.ts'
import type { DiscoveryTarget } from './discovery/discovery-target.ts'
import { planDiscovery } from './discovery/plan-discovery.ts'
import { planContract } from './plan-contract.ts'
import { registerSuite } from './register-suite.ts'

export type { ContractHost, ContractTarget } from './contract-target.ts'
export type { DiscoveryTarget, DiscoveryUnderTest } from './discovery/discovery-target.ts'

const runner = {
  describe,
  test: (name: string, body: () => Promise<void>) => test(name, body, TEST_MS),
  skip: (name: string) => test.skip(name, () => {}),
}

/** Properties run a hundred conversations; a busy machine takes its time. In milliseconds. */
const TEST_MS = 120_000

/** Runs the contract suite for an engine as tests of vitest. Call it at the top of a test file. */
export function testContextEngine(target: ContractTarget): void {
  registerSuite(`context engine contract: ${target.name}`, planContract(target), runner)
}

/** Runs the suite for a host's discovery of engines as tests of vitest. Call it at the top of a test file. */
export function testDiscovery(target: DiscoveryTarget): void {
  registerSuite(`engine discovery: ${target.name}`, planDiscovery(target), runner)
}
