import { createPatience } from '../harness/time-limit.ts'
import type { PlannedCase } from '../run-suite.ts'
import { faultCases } from './cases/faults.ts'
import { sourceCases } from './cases/sources.ts'
import { createDiscoveryHarness, type DiscoveryCase } from './create-discovery-harness.ts'
import type { DiscoveryTarget } from './discovery-target.ts'

/** The time limit of a discovery's call, in milliseconds: hosts wait for modules that never finish loading. */
const SETTLE_MS = 20_000

/** Every case of the discovery of engines, in the order of their ids. */
export const discoveryCases: readonly DiscoveryCase[] = [...sourceCases, ...faultCases]

/** Settings for a run of the suite. Hosts never need them. */
export interface DiscoveryPlanOptions {
  /** The time limit of a discovery's call, in milliseconds. Default 20,000. */
  readonly limitMs?: number
}

/** Plans the suite for a host's discovery: each case, or the reason why it is left out. */
export function planDiscovery(
  target: DiscoveryTarget,
  { limitMs = SETTLE_MS }: DiscoveryPlanOptions = {},
): PlannedCase<DiscoveryCase>[] {
  const patience = createPatience(limitMs)
  return discoveryCases.map((entry) => ({
    entry,
    skip: target.skip?.[entry.id],
    async run() {
      const { harness, cleanUp } = createDiscoveryHarness(target, patience)
      try {
        await entry.run(harness)
      } finally {
        cleanUp()
      }
      return []
    },
  }))
}
