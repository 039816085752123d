import { ok } from 'node:assert/strict'
import { type DiscoveryCase, discoveryCase } from '../create-discovery-harness.ts'
import { expectCompressor, expectEngine, expectRefusal, expectWarning } from '../expect-resolved.ts'
import { plantEveryFault } from '../plant-faults.ts'

/** Promises about a chosen engine that cannot run. */
export const fallbackCases: readonly DiscoveryCase[] = [
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
]
