import type { DiscoveryCase } from '../create-discovery-harness.ts'
import { activationCases } from './activation.ts'
import { brokenPluginCases } from './broken-plugins.ts'
import { fallbackCases } from './fallback.ts'
import { hostileNameCases } from './hostile-names.ts'
import { registrationCases } from './registration.ts'
import { sourceCases } from './sources.ts'

/** Every case of the discovery of engines, in the order of their ids. */
export const discoveryCases: readonly DiscoveryCase[] = [
  ...activationCases,
  ...sourceCases,
  ...registrationCases,
  ...fallbackCases,
  ...brokenPluginCases,
  ...hostileNameCases,
]
