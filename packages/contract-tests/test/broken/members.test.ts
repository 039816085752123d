import { brokenLifecycles } from './lifecycle.ts'
import { brokenSelections } from './selection.ts'
import { brokenShapes } from './shape.ts'
import { testBrokenEngines } from './test-broken-engines.ts'
import { brokenTriggers } from './trigger.ts'
import { brokenUsage } from './usage.ts'

testBrokenEngines([
  ...brokenShapes,
  ...brokenUsage,
  ...brokenTriggers,
  ...brokenLifecycles,
  ...brokenSelections,
])
