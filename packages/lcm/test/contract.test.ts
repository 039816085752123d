import { testContextEngine } from '@palimpsest/contract-tests/vitest'
import target from './contract-target.ts'

testContextEngine({ ...target, propertyRuns: 5 })
