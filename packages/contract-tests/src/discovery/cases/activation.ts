import { deepEqual } from 'node:assert/strict'
import { type DiscoveryCase, discoveryCase } from '../create-discovery-harness.ts'
import { expectCompressor } from '../expect-resolved.ts'

/** Promises about discovery before an engine is chosen. */
export const activationCases: readonly DiscoveryCase[] = [
  discoveryCase('D01', 'has the compressor, without a warning, where nothing else is', async (harness) => {
    const warnings = await expectCompressor(harness.discovery(), 'compressor')
    deepEqual(warnings, [])
  }),
  discoveryCase('D02', 'loads nothing to make a list', async (harness) => {
    harness.plugin('by-directory')
    harness.package('some-package', 'by-package')
    await harness.discovery().list()
    deepEqual(harness.loaded(), [], 'list() should read manifests; it loaded these modules')
  }),
  discoveryCase('D03', 'loads no engine because it is installed', async (harness) => {
    harness.plugin('by-directory')
    harness.package('some-package', 'by-package')
    await harness.discovery().resolve('compressor')
    deepEqual(harness.loaded(), [], 'the compressor was chosen; these modules were loaded')
  }),
  discoveryCase('D04', 'lists what every source has', async (harness) => {
    harness.plugin('by-directory')
    harness.package('some-package', 'by-package')
    const discovery = harness.discovery()
    discovery.registerContextEngine(harness.definition('by-code', 'registered by-code'))
    const engines = await discovery.list()
    const expected = [
      ['compressor', 'built-in'],
      ['by-directory', 'directory'],
      ['by-code', 'registered'],
      ['by-package', 'package'],
    ]
    for (const [name, source] of expected) {
      const found = engines.find((engine) => engine.name === name)
      deepEqual(
        { name: found?.name, source: found?.source, available: found?.available },
        { name, source, available: true },
      )
    }
  }),
]
