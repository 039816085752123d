import { type DiscoveryCase, discoveryCase } from '../create-discovery-harness.ts'
import { expectCompressor, expectEngine } from '../expect-resolved.ts'

/** Where engines come from, and which source comes first. */
export const sourceCases: readonly DiscoveryCase[] = [
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
]
