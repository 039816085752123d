import type { DiscoveryCaseDraft } from '../create-discovery-harness.ts'
import { expectCompressor, expectEngine } from '../expect-resolved.ts'

/** Where engines come from, and which source comes first. */
export const sourceCases: readonly DiscoveryCaseDraft[] = [
  {
    id: 'D05',
    title: 'finds the engine in plugins/context_engine/<name>/',
    async run(harness) {
      harness.plugin('chosen')
      await expectEngine(harness.discovery(), 'chosen', 'directory chosen')
    },
  },
  {
    id: 'D06',
    title: 'finds an engine that was registered in code',
    async run(harness) {
      const discovery = harness.discovery()
      discovery.registerContextEngine(harness.definition('chosen', 'registered chosen'))
      await expectEngine(discovery, 'chosen', 'registered chosen')
    },
  },
  {
    id: 'D07',
    title: 'finds the engine of a package that is named',
    async run(harness) {
      harness.package('some-package', 'chosen')
      await expectEngine(harness.discovery(), 'some-package', 'package chosen')
    },
  },
  {
    id: 'D08',
    title: 'finds the engine of a package with a scope',
    async run(harness) {
      harness.package('@some-scope/package', 'chosen')
      await expectEngine(harness.discovery(), '@some-scope/package', 'package chosen')
    },
  },
  {
    id: 'D09',
    title: 'takes a directory before what was registered',
    async run(harness) {
      harness.plugin('chosen')
      const discovery = harness.discovery()
      discovery.registerContextEngine(harness.definition('chosen', 'registered chosen'))
      await expectEngine(discovery, 'chosen', 'directory chosen')
    },
  },
  {
    id: 'D10',
    title: 'takes a directory before a package',
    async run(harness) {
      harness.plugin('chosen')
      harness.package('chosen', 'chosen')
      await expectEngine(harness.discovery(), 'chosen', 'directory chosen')
    },
  },
  {
    id: 'D11',
    title: 'takes what was registered before a package',
    async run(harness) {
      harness.package('chosen', 'chosen')
      const discovery = harness.discovery()
      discovery.registerContextEngine(harness.definition('chosen', 'registered chosen'))
      await expectEngine(discovery, 'chosen', 'registered chosen')
    },
  },
  {
    id: 'D12',
    title: 'lets no directory take the place of the compressor',
    async run(harness) {
      harness.plugin('compressor')
      await expectCompressor(harness.discovery(), 'compressor', ['directory compressor'])
    },
  },
  {
    id: 'D13',
    title: 'lets no registered engine take the place of the compressor',
    async run(harness) {
      const discovery = harness.discovery()
      discovery.registerContextEngine(harness.definition('compressor', 'registered compressor'))
      await expectCompressor(discovery, 'compressor', ['registered compressor'])
    },
  },
  {
    id: 'D14',
    title: 'lets no package take the place of the compressor',
    async run(harness) {
      harness.package('compressor', 'compressor')
      await expectCompressor(harness.discovery(), 'compressor', ['package compressor'])
    },
  },
]
