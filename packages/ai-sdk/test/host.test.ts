import { testHost } from '@palimpsest/contract-tests/vitest'
import { openApplication } from './support/host-target.ts'

testHost({ name: 'AI SDK (generateText)', open: (setup) => openApplication('generateText', setup) })
testHost({ name: 'AI SDK (streamText)', open: (setup) => openApplication('streamText', setup) })
