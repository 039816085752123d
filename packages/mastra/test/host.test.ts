import { testHost } from '@palimpsest/contract-tests/vitest'
import { mastraTarget } from './support/host-target.ts'

testHost(mastraTarget)
