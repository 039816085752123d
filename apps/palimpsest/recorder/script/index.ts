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
import { commandsOfTheCli } from './10-commands.ts'
import { aTornLine } from './11-a-torn-line.ts'
import { twoWriters } from './12-two-writers.ts'
import { sqlite } from './13-sqlite.ts'
import { migration } from './14-migration.ts'
import { aQuestionFromFar } from './15-a-question-from-far.ts'
import { retention } from './16-retention.ts'
import { theCause } from './17-the-cause.ts'
import { aRename } from './18-a-rename.ts'
import { fewerRows } from './19-fewer-rows.ts'
import { wrappingUp } from './20-wrapping-up.ts'

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
  commandsOfTheCli,
  aTornLine,
  twoWriters,
  sqlite,
  migration,
  aQuestionFromFar,
  retention,
  theCause,
  aRename,
  fewerRows,
  wrappingUp,
]
