import { deepEqual } from 'node:assert/strict'
import { type DiscoveryCase, discoveryCase } from '../create-discovery-harness.ts'
import { expectReason, expectWarning } from '../expect-resolved.ts'
import { plantFault, THROWN } from '../plant-faults.ts'

/** Each way to be broken is told with its reason: in the list where a manifest shows it, else when it is chosen. */
export const brokenPluginCases: readonly DiscoveryCase[] = [
  discoveryCase('D25', 'says what an engine threw while it was loaded', async (harness) => {
    plantFault.throws(harness, 'broken')
    await expectWarning(harness.discovery(), 'broken', 'broken', THROWN)
  }),
  discoveryCase('D26', 'says so when a module exports something else', async (harness) => {
    plantFault.wrongExport(harness, 'broken')
    await expectWarning(harness.discovery(), 'broken', 'broken')
  }),
  discoveryCase(
    'D27',
    'says so when the code is written for another version of the contract',
    async (harness) => {
      plantFault.otherVersion(harness, 'broken')
      await expectWarning(harness.discovery(), 'broken', 'broken', 'apiVersion 2')
    },
  ),
  discoveryCase('D28', 'says so when a module never finishes loading', async (harness) => {
    plantFault.neverLoads(harness, 'broken')
    await expectWarning(harness.discovery(), 'broken', 'broken')
  }),
  discoveryCase(
    'D29',
    'lists a package for another version of the contract with the reason',
    async (harness) => {
      plantFault.otherManifestVersion(harness, 'broken')
      await expectReason(harness.discovery(), ({ name }) => name === 'broken')
    },
  ),
  discoveryCase(
    'D30',
    'lists a plugin whose name climbs out of its folder with the reason',
    async (harness) => {
      plantFault.climbingName(harness, 'broken')
      await expectReason(harness.discovery(), ({ source }) => source === 'directory')
    },
  ),
  discoveryCase('D31', 'lists a package whose entry climbs out of it with the reason', async (harness) => {
    plantFault.climbingEntry(harness, 'broken')
    await expectReason(harness.discovery(), ({ name }) => name === 'broken')
  }),
  discoveryCase('D32', 'lists a link that leads nowhere with the reason', async (harness) => {
    plantFault.brokenLink(harness, 'broken')
    await expectReason(harness.discovery(), ({ name }) => name === 'broken')
  }),
  discoveryCase('D33', 'lists a plugin whose manifest is not YAML with the reason', async (harness) => {
    plantFault.brokenYaml(harness, 'broken')
    await expectReason(harness.discovery(), ({ name }) => name === 'broken')
  }),
  discoveryCase('D34', 'says so when the chosen package has no engine', async (harness) => {
    harness.package('just-a-library', 'unused', null)
    const discovery = harness.discovery()
    await expectWarning(discovery, 'just-a-library', 'just-a-library')
    deepEqual(harness.loaded(), [], 'a package that declares no engine should not be loaded')
  }),
]
