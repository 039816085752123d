import { brokenAborts } from './abort.ts'
import type { BrokenEngine } from './broken-engine.ts'
import { brokenContents } from './content.ts'
import { brokenFailures } from './failure.ts'
import { brokenKept } from './kept.ts'
import { brokenLifecycles } from './lifecycle.ts'
import { brokenOrigins } from './origins.ts'
import { brokenPurity } from './purity.ts'
import { brokenSelections } from './selection.ts'
import { brokenSequences } from './sequence.ts'
import { brokenShapes } from './shape.ts'
import { brokenStorages } from './storage.ts'
import { brokenSummaries } from './summary.ts'
import { brokenToolPairs } from './tool-pairs.ts'
import { brokenTools } from './tools.ts'
import { brokenTriggers } from './trigger.ts'
import { brokenUsage } from './usage.ts'

/** Every broken engine, in the order of the cases that are about its mistake. */
export const brokenEngines: readonly BrokenEngine[] = [
  ...brokenShapes,
  ...brokenUsage,
  ...brokenTriggers,
  ...brokenSequences,
  ...brokenToolPairs,
  ...brokenPurity,
  ...brokenContents,
  ...brokenKept,
  ...brokenFailures,
  ...brokenSummaries,
  ...brokenOrigins,
  ...brokenAborts,
  ...brokenLifecycles,
  ...brokenTools,
  ...brokenStorages,
  ...brokenSelections,
]
