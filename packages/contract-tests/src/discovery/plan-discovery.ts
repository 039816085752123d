import { createPatience } from '../harness/time-limit.ts'
import type { PlannedCase } from '../run-suite.ts'
import { discoveryCases } from './cases/index.ts'
import type { DiscoveryCase } from './create-discovery-harness.ts'
import { createDiscoveryHarness } from './create-discovery-harness.ts'
import type { DiscoveryTarget } from './discovery-target.ts'

/** How long a call of a discovery may take, in milliseconds: hosts wait for modules that never finish loading. */
const SETTLE_MS = 20_000

/** What may be set for a run of the suite; hosts never need to. */
export interface DiscoveryPlanOptions {
  /** How long a call of the discovery may take, in milliseconds. Default 20,000. */
  readonly limitMs?: number
}

/** What the suite will do with a host's discovery: each case, or why it is left out. */
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
