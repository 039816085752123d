import { testContextEngine } from '@palimpsest/contract-tests/vitest'
import compressor from '../src/index.ts'

for (const profile of ['lean', 'classic'] as const) {
  testContextEngine({
    name: `compressor (${profile})`,
    create: ({ options, ...host }) => compressor.create({ profile, ...options }, host),
    expectCapabilities: ['summarizer'],
    propertyRuns: 25,
  })
}
