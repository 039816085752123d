import { testBrokenEngines } from './test-broken-engines.ts'

testBrokenEngines(1)
