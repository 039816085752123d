import { brokenContents } from './content.ts'
import { brokenSequences } from './sequence.ts'
import { testBrokenEngines } from './test-broken-engines.ts'
import { brokenToolPairs } from './tool-pairs.ts'

testBrokenEngines([...brokenSequences, ...brokenToolPairs, ...brokenContents])
