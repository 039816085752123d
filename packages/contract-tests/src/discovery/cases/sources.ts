import { deepEqual, equal, ok } from 'node:assert/strict'
import { type DiscoveryCase, discoveryCase } from '../create-discovery-harness.ts'
import { expectCompressor, expectEngine } from '../expect-resolved.ts'

/** Where engines come from, which source comes first, and what is loaded before an engine is chosen. */
export const sourceCases: readonly DiscoveryCase[] = [
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
  discoveryCase('D05', 'finds the engine in plugins/context_engine/<name>/', async (harness) => {
    harness.plugin('chosen')
    await expectEngine(harness.discovery(), 'chosen', 'directory chosen')
  }),
  discoveryCase('D06', 'finds an engine that was registered in code', async (harness) => {
    const discovery = harness.discovery()
    discovery.registerContextEngine(harness.definition('chosen', 'registered chosen'))
    await expectEngine(discovery, 'chosen', 'registered chosen')
  }),
  discoveryCase('D07', 'finds the engine of a package that is named', async (harness) => {
    harness.package('some-package', 'chosen')
    await expectEngine(harness.discovery(), 'some-package', 'package chosen')
  }),
  discoveryCase('D08', 'finds the engine of a package with a scope', async (harness) => {
    harness.package('@some-scope/package', 'chosen')
    await expectEngine(harness.discovery(), '@some-scope/package', 'package chosen')
  }),
  discoveryCase('D09', 'takes a directory before what was registered', async (harness) => {
    harness.plugin('chosen')
    const discovery = harness.discovery()
    discovery.registerContextEngine(harness.definition('chosen', 'registered chosen'))
    await expectEngine(discovery, 'chosen', 'directory chosen')
  }),
  discoveryCase('D10', 'takes a directory before a package', async (harness) => {
    harness.plugin('chosen')
    harness.package('chosen', 'chosen')
    await expectEngine(harness.discovery(), 'chosen', 'directory chosen')
  }),
  discoveryCase('D11', 'takes what was registered before a package', async (harness) => {
    harness.package('chosen', 'chosen')
    const discovery = harness.discovery()
    discovery.registerContextEngine(harness.definition('chosen', 'registered chosen'))
    await expectEngine(discovery, 'chosen', 'registered chosen')
  }),
  discoveryCase('D12', 'lets no directory take the place of the compressor', async (harness) => {
    harness.plugin('compressor')
    await expectCompressor(harness.discovery(), 'compressor', ['directory compressor'])
  }),
  discoveryCase('D13', 'lets no registered engine take the place of the compressor', async (harness) => {
    const discovery = harness.discovery()
    discovery.registerContextEngine(harness.definition('compressor', 'registered compressor'))
    await expectCompressor(discovery, 'compressor', ['registered compressor'])
  }),
  discoveryCase('D14', 'lets no package take the place of the compressor', async (harness) => {
    harness.package('compressor', 'compressor')
    await expectCompressor(harness.discovery(), 'compressor', ['package compressor'])
  }),
  discoveryCase('D15', 'keeps the first of two different engines of one name', async (harness) => {
    const discovery = harness.discovery()
    discovery.registerContextEngine(harness.definition('chosen', 'the first'))
    discovery.registerContextEngine(harness.definition('chosen', 'the second'))
    await expectEngine(discovery, 'chosen', 'the first')
  }),
  discoveryCase('D16', 'refuses the second with a warning that names it', async (harness) => {
    const discovery = harness.discovery()
    discovery.registerContextEngine(harness.definition('chosen', 'the first'))
    const warning = discovery.registerContextEngine(harness.definition('chosen', 'the second'))
    ok(
      warning?.message.includes('chosen'),
      'registering another engine of the name "chosen" should return a warning that names it',
    )
  }),
  discoveryCase('D17', 'takes the same engine twice', async (harness) => {
    const discovery = harness.discovery()
    const definition = harness.definition('chosen', 'the same')
    discovery.registerContextEngine(definition)
    const warning = discovery.registerContextEngine(definition)
    equal(warning, undefined, 'registering the same engine again should return no warning')
  }),
]
