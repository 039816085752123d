import { ok } from 'node:assert/strict'
import type { DiscoveryCaseDraft } from '../create-discovery-harness.ts'
import { expectCompressor, expectEngine, expectRefusal, expectWarning } from '../expect-resolved.ts'
import { plantEveryFault } from '../plant-faults.ts'

/** Promises about a chosen engine that cannot run. */
export const fallbackCases: readonly DiscoveryCaseDraft[] = [
  {
    id: 'D18',
    title: 'goes on with the compressor when nothing has the name',
    async run(harness) {
      harness.plugin('other')
      await expectCompressor(harness.discovery(), 'missing')
    },
  },
  {
    id: 'D19',
    title: 'warns then, with the name and what could be chosen',
    async run(harness) {
      harness.plugin('by-directory')
      harness.package('some-package', 'by-package')
      const discovery = harness.discovery()
      discovery.registerContextEngine(harness.definition('by-code', 'registered by-code'))
      await expectWarning(
        discovery,
        'missing',
        ...['missing', 'compressor', 'by-directory', 'by-code', 'by-package'],
      )
    },
  },
  {
    id: 'D20',
    title: 'throws a coded error instead where it has to be strict',
    async run(harness) {
      await expectRefusal(harness.discovery(), 'missing')
    },
  },
  {
    id: 'D21',
    title: 'goes on with the compressor when the chosen engine cannot be loaded',
    async run(harness) {
      harness.plugin('broken', { 'index.js': "throw new Error('not today')" })
      await expectCompressor(harness.discovery(), 'broken')
    },
  },
  {
    id: 'D22',
    title: 'throws a coded error instead where it has to be strict, too',
    async run(harness) {
      harness.plugin('broken', { 'index.js': "throw new Error('not today')" })
      await expectRefusal(harness.discovery(), 'broken')
    },
  },
  {
    id: 'D23',
    title: 'hides no good engine behind broken ones in the list',
    async run(harness) {
      plantEveryFault(harness)
      harness.plugin('good-plugin')
      harness.package('good-package', 'good-in-package')
      const engines = await harness.discovery().list()
      for (const name of ['compressor', 'good-plugin', 'good-in-package'])
        ok(
          engines.some((engine) => engine.name === name && engine.available),
          `${name} should be available although others are broken`,
        )
    },
  },
  {
    id: 'D24',
    title: 'loads a good engine although others are broken',
    async run(harness) {
      plantEveryFault(harness)
      harness.plugin('good-plugin')
      harness.package('good-package', 'good-in-package')
      await expectEngine(harness.discovery(), 'good-plugin', 'directory good-plugin')
      await expectEngine(harness.discovery(), 'good-package', 'package good-in-package')
    },
  },
]
