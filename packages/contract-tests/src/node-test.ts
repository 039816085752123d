import { describe, test } from 'node:test'
import type { ContractTarget } from './contract-target.ts'
import { planContract } from './plan-contract.ts'
import { registerSuite } from './register-suite.ts'

export type { ContractHost, ContractTarget } from './contract-target.ts'

/** Runs the contract suite for an engine as tests of node:test. Call it at the top of a test file. */
export function testContextEngine(target: ContractTarget): void {
  registerSuite(`context engine contract: ${target.name}`, planContract(target), {
    describe: (name, body) => void describe(name, body),
    test: (name, body) => void test(name, body),
    skip: (name) => void test(name, { skip: true }),
  })
}
