import { brokenKept } from './kept.ts'
import { brokenSummaries } from './summary.ts'
import { testBrokenEngines } from './test-broken-engines.ts'

testBrokenEngines([...brokenKept, ...brokenSummaries])
