import type { Episode } from '../steps.ts'
import { gettingToKnow } from './01-getting-to-know.ts'
import { baseline } from './02-baseline.ts'
import { aStoreThatStays } from './03-a-store-that-stays.ts'
import { batches } from './04-batches.ts'
import { readingTheLog } from './05-reading-the-log.ts'
import { budgets } from './06-budgets.ts'
import { approvals } from './07-approvals.ts'
import { categoriesOfVendors } from './08-categories.ts'
import { splitting } from './09-splitting.ts'
import { aTornLine } from './10-a-torn-line.ts'
import { twoWriters } from './11-two-writers.ts'
import { sqlite } from './12-sqlite.ts'
import { migration } from './13-migration.ts'
import { aQuestionFromFar } from './14-a-question-from-far.ts'
import { retention } from './15-retention.ts'
import { theCause } from './16-the-cause.ts'

/** The whole session, in order. */
export const episodes: readonly Episode[] = [
  gettingToKnow,
  baseline,
  aStoreThatStays,
  batches,
  readingTheLog,
  budgets,
  approvals,
  categoriesOfVendors,
  splitting,
  aTornLine,
  twoWriters,
  sqlite,
  migration,
  aQuestionFromFar,
  retention,
  theCause,
]
