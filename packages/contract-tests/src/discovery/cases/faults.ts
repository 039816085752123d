import { deepEqual, ok } from 'node:assert/strict'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type DiscoveryCase, type DiscoveryHarness, discoveryCase } from '../create-discovery-harness.ts'
import {
  expectCompressor,
  expectEngine,
  expectReason,
  expectRefusal,
  expectWarning,
} from '../expect-resolved.ts'
import { plantEveryFault, plantFault, THROWN } from '../plant-faults.ts'

/**
 * Promises about engines that cannot run, and about names that mean something to file systems, to modules or to JavaScript.
 * Each way to be broken is told with its reason: in the list where a manifest shows it, else when it is chosen.
 */
export const faultCases: readonly DiscoveryCase[] = [
  discoveryCase('D18', 'goes on with the compressor when nothing has the name', async (harness) => {
    harness.plugin('other')
    await expectCompressor(harness.discovery(), 'missing')
  }),
  discoveryCase('D19', 'warns then, with the name and what could be chosen', async (harness) => {
    harness.plugin('by-directory')
    harness.package('some-package', 'by-package')
    const discovery = harness.discovery()
    discovery.registerContextEngine(harness.definition('by-code', 'registered by-code'))
    await expectWarning(
      discovery,
      'missing',
      ...['missing', 'compressor', 'by-directory', 'by-code', 'by-package'],
    )
  }),
  discoveryCase('D20', 'throws a coded error instead where it has to be strict', async (harness) => {
    await expectRefusal(harness.discovery(), 'missing')
  }),
  discoveryCase(
    'D21',
    'goes on with the compressor when the chosen engine cannot be loaded',
    async (harness) => {
      harness.plugin('broken', { 'index.js': "throw new Error('not today')" })
      await expectCompressor(harness.discovery(), 'broken')
    },
  ),
  discoveryCase('D22', 'throws a coded error instead where it has to be strict, too', async (harness) => {
    harness.plugin('broken', { 'index.js': "throw new Error('not today')" })
    await expectRefusal(harness.discovery(), 'broken')
  }),
  discoveryCase('D23', 'hides no good engine behind broken ones in the list', async (harness) => {
    plantEveryFault(harness)
    harness.plugin('good-plugin')
    harness.package('good-package', 'good-in-package')
    const engines = await harness.discovery().list()
    for (const name of ['compressor', 'good-plugin', 'good-in-package'])
      ok(
        engines.some((engine) => engine.name === name && engine.available),
        `${name} should be available although others are broken`,
      )
  }),
  discoveryCase('D24', 'loads a good engine although others are broken', async (harness) => {
    plantEveryFault(harness)
    harness.plugin('good-plugin')
    harness.package('good-package', 'good-in-package')
    await expectEngine(harness.discovery(), 'good-plugin', 'directory good-plugin')
    await expectEngine(harness.discovery(), 'good-package', 'package good-in-package')
  }),
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
  discoveryCase(
    'D35',
    'loads nothing from outside of the application, whatever the choice',
    async (harness) => {
      const discovery = harness.discovery()
      for (const choice of waysOut(harness)) await discovery.resolve(choice).catch(() => {})
      deepEqual(harness.loaded(), [], 'no choice should load a module outside of the application')
    },
  ),
  discoveryCase(
    'D36',
    'loads nothing from outside of a plugin or a package, whatever its manifest says',
    async (harness) => {
      plantFault.climbingName(harness, 'climbing-name')
      plantFault.climbingEntry(harness, 'climbing-entry')
      const discovery = harness.discovery()
      for (const choice of ['climbing-name', 'climbing-entry'])
        await discovery.resolve(choice).catch(() => {})
      ok(
        !harness.loaded().includes('outside'),
        'a manifest should not lead to a module outside of its folder',
      )
    },
  ),
  discoveryCase(
    'D37',
    'goes on with the compressor, and warns, for names that no engine can have',
    async (harness) => {
      const discovery = harness.discovery()
      for (const choice of [...waysOut(harness), ...ODD_NAMES]) {
        const warnings = await expectCompressor(discovery, choice)
        ok(warnings.length > 0, `${JSON.stringify(choice.slice(0, 50))} should be warned about`)
      }
    },
  ),
]

const ODD_NAMES = [
  '',
  ' ',
  '.',
  '..',
  '/',
  '__proto__',
  'constructor',
  'toString',
  'node:fs',
  'data:text/javascript,export default 1',
  'name\u0000.js',
  '\ud800',
  '%2e%2e%2foutside',
  'COMPRESSOR',
  'x'.repeat(5_000),
]

/** Paths to the engine beside the application, from each place where a host might begin. */
function waysOut({ outside }: DiscoveryHarness): string[] {
  return [
    outside,
    join(outside, 'index.js'),
    pathToFileURL(join(outside, 'index.js')).href,
    '../outside',
    '../outside/index.js',
    '../../outside',
    '../../../outside',
    '..\\..\\..\\outside',
    'x/../../../../outside',
    '@x/../../../outside',
  ]
}
