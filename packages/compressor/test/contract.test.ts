import { testContextEngine } from '@palimpsest/contract-tests/vitest'
import compressor from '../src/index.ts'

testContextEngine({
  name: 'compressor',
  create: ({ options, ...host }) => compressor.create(options ?? {}, host),
  expectCapabilities: ['summarizer'],
  propertyRuns: 25,
})
