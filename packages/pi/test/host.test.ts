import { testHost } from '@palimpsest/contract-tests/vitest'
import { piTarget } from './support/host-target.ts'

testHost(piTarget)
