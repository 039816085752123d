import { after, describe, test } from 'node:test'
import type { ContractTarget } from './contract-target.ts'
import type { DiscoveryTarget } from './discovery/discovery-target.ts'
import { planDiscovery } from './discovery/plan-discovery.ts'
import type { HostTarget } from './host/host-target.ts'
import { planHost } from './host/plan-host.ts'
import { planContract } from './plan-contract.ts'
import { registerSuite, type TestRunner } from './register-suite.ts'

export type { ContractHost, ContractTarget } from './contract-target.ts'
export type { DiscoveryTarget, DiscoveryUnderTest } from './discovery/discovery-target.ts'
export type { HostConversation, HostSetup, HostTarget, HostTool } from './host/host-target.ts'

/** The time for which the process may go on when all tests are over, in milliseconds. */
const LINGER_MS = 5_000

/** The case that runs now. */
let running: string | undefined

const runner: TestRunner = {
  describe: (name, body) => void describe(name, body),
  test: (name, body) =>
    void test(name, async () => {
      running = name
      await body().finally(() => {
        running = undefined
      })
    }),
  skip: (name) => void test(name, { skip: true }),
}

/** An engine that ends the process, or keeps it alive, must not make a run green or endless. */
function guardProcess(): void {
  process.once('exit', () => {
    if (running === undefined) return
    process.stderr.write(`the engine ended the process in "${running}"\n`)
    process.exitCode = 1
  })
  after(() => {
    // Fires only if something else keeps the process alive.
    const timer = setTimeout(() => {
      process.stderr.write('all tests are over, and something keeps the process alive: see case C56\n')
      process.exit(1)
    }, LINGER_MS)
    timer.unref()
  })
}

/** Runs the contract suite for an engine as tests of node:test. Call it at the top of a test file. */
export function testContextEngine(target: ContractTarget): void {
  guardProcess()
  registerSuite(`context engine contract: ${target.name}`, planContract(target), runner)
}

/** Runs the suite for a host's discovery of engines as tests of node:test. Call it at the top of a test file. */
export function testDiscovery(target: DiscoveryTarget): void {
  registerSuite(`engine discovery: ${target.name}`, planDiscovery(target), runner)
}

/** Runs the suite for an adapter between engines and a framework as tests of node:test. Call it at the top of a test file. */
export function testHost(target: HostTarget): void {
  registerSuite(`host adapter: ${target.name}`, planHost(target), runner)
}
