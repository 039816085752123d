import { brokenAborts } from './abort.ts'
import { brokenFailures } from './failure.ts'
import { brokenPurity } from './purity.ts'
import { testBrokenEngines } from './test-broken-engines.ts'

testBrokenEngines([...brokenPurity, ...brokenFailures, ...brokenAborts])
