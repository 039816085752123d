import type { SuiteCase } from '../contract-case.ts'
import type { DiscoveryHarness } from './create-discovery-harness.ts'

/** One promise of the discovery of engines. */
export type DiscoveryCase = SuiteCase<DiscoveryHarness>
