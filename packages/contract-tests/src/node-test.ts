import { describe, test } from 'node:test'
import type { ContractTarget } from './contract-target.ts'
import type { DiscoveryTarget } from './discovery/discovery-target.ts'
import { planDiscovery } from './discovery/plan-discovery.ts'
import { planContract } from './plan-contract.ts'
import { registerSuite, type TestRunner } from './register-suite.ts'

export type { ContractHost, ContractTarget } from './contract-target.ts'
export type { DiscoveryTarget, DiscoveryUnderTest } from './discovery/discovery-target.ts'

const runner: TestRunner = {
  describe: (name, body) => void describe(name, body),
  test: (name, body) => void test(name, body),
  skip: (name) => void test(name, { skip: true }),
}

/** Runs the contract suite for an engine as tests of node:test. Call it at the top of a test file. */
export function testContextEngine(target: ContractTarget): void {
  registerSuite(`context engine contract: ${target.name}`, planContract(target), runner)
}

/** Runs the suite for a host's discovery of engines as tests of node:test. Call it at the top of a test file. */
export function testDiscovery(target: DiscoveryTarget): void {
  registerSuite(`engine discovery: ${target.name}`, planDiscovery(target), runner)
}
