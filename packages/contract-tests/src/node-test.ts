import { after, describe, test } from 'node:test'
import type { ContractTarget } from './contract-target.ts'
import { guardProcess } from './guard-process.ts'
import type { HostTarget } from './host/host-target.ts'
import { planHost } from './host/plan-host.ts'
import { planContract } from './plan-contract.ts'
import { registerSuite, type TestRunner } from './register-suite.ts'

export type { ContractHost, ContractTarget } from './contract-target.ts'
export type { HostConversation, HostSetup, HostTarget, HostTool } from './host/host-target.ts'

/** Time for which the process may continue after all tests, in milliseconds. */
const LINGER_MS = 5_000

const runner: TestRunner = {
  describe: (name, body) => void describe(name, body),
  test: (name, body) => void test(name, () => guardProcess(name, body)),
  skip: (name) => void test(name, { skip: true }),
}

/** Registers the suite for an engine as tests of node:test. Call it at the top level of a test file. */
export function testContextEngine(target: ContractTarget): void {
  after(() => {
    // Fires only if something else keeps the process alive.
    const timer = setTimeout(() => {
      process.stderr.write('all tests are over, and something keeps the process alive: see case C56\n')
      process.exit(1)
    }, LINGER_MS)
    timer.unref()
  })
  registerSuite(`context engine contract: ${target.name}`, planContract(target), runner)
}

/** Registers the suite for an adapter as tests of node:test. Call it at the top level of a test file. */
export function testHost(target: HostTarget): void {
  registerSuite(`host adapter: ${target.name}`, planHost(target), runner)
}
