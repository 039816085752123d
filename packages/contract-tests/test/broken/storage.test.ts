import { brokenOrigins } from './origins.ts'
import { brokenStorages } from './storage.ts'
import { testBrokenEngines } from './test-broken-engines.ts'
import { brokenTools } from './tools.ts'

testBrokenEngines([...brokenTools, ...brokenStorages, ...brokenOrigins])
