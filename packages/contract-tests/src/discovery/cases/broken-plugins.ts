import { deepEqual } from 'node:assert/strict'
import type { DiscoveryCaseDraft } from '../create-discovery-harness.ts'
import { expectReason, expectWarning } from '../expect-resolved.ts'
import { plantFault, THROWN } from '../plant-faults.ts'

/** Each way to be broken is told with its reason: in the list where a manifest shows it, else when it is chosen. */
export const brokenPluginCases: readonly DiscoveryCaseDraft[] = [
  {
    id: 'D25',
    title: 'says what an engine threw while it was loaded',
    async run(harness) {
      plantFault.throws(harness, 'broken')
      await expectWarning(harness.discovery(), 'broken', 'broken', THROWN)
    },
  },
  {
    id: 'D26',
    title: 'says so when a module exports something else',
    async run(harness) {
      plantFault.wrongExport(harness, 'broken')
      await expectWarning(harness.discovery(), 'broken', 'broken')
    },
  },
  {
    id: 'D27',
    title: 'says so when the code is written for another version of the contract',
    async run(harness) {
      plantFault.otherVersion(harness, 'broken')
      await expectWarning(harness.discovery(), 'broken', 'broken', 'version 2')
    },
  },
  {
    id: 'D28',
    title: 'says so when a module never finishes loading',
    async run(harness) {
      plantFault.neverLoads(harness, 'broken')
      await expectWarning(harness.discovery(), 'broken', 'broken')
    },
  },
  {
    id: 'D29',
    title: 'lists a package for another version of the contract with the reason',
    async run(harness) {
      plantFault.otherManifestVersion(harness, 'broken')
      await expectReason(harness.discovery(), ({ name }) => name === 'broken')
    },
  },
  {
    id: 'D30',
    title: 'lists a plugin whose name climbs out of its folder with the reason',
    async run(harness) {
      plantFault.climbingName(harness, 'broken')
      await expectReason(harness.discovery(), ({ source }) => source === 'directory')
    },
  },
  {
    id: 'D31',
    title: 'lists a package whose entry climbs out of it with the reason',
    async run(harness) {
      plantFault.climbingEntry(harness, 'broken')
      await expectReason(harness.discovery(), ({ name }) => name === 'broken')
    },
  },
  {
    id: 'D32',
    title: 'lists a link that leads nowhere with the reason',
    async run(harness) {
      plantFault.brokenLink(harness, 'broken')
      await expectReason(harness.discovery(), ({ name }) => name === 'broken')
    },
  },
  {
    id: 'D33',
    title: 'lists a plugin whose manifest is not YAML with the reason',
    async run(harness) {
      plantFault.brokenYaml(harness, 'broken')
      await expectReason(harness.discovery(), ({ name }) => name === 'broken')
    },
  },
  {
    id: 'D34',
    title: 'says so when the chosen package has no engine',
    async run(harness) {
      harness.package('just-a-library', 'unused', null)
      const discovery = harness.discovery()
      await expectWarning(discovery, 'just-a-library', 'just-a-library')
      deepEqual(harness.loaded(), [], 'a package that declares no engine should not be loaded')
    },
  },
]
