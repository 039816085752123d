import type { TokenCounter } from '@palimpsest/core'
import {
  type CachePricing,
  compareRecorded,
  findPricing,
  type RecordedCacheReport,
} from '@palimpsest/prompt-caching'
import type { Progress } from '../progress.ts'
import { readSessions } from '../sessions/read-sessions.ts'
import { USUAL_MODEL } from './cost-profiles.ts'
import { findPrices } from './find-prices.ts'

/** What a provider reported in one recorded session, beside what the simulator says. */
export interface RecordedRow {
  /** Its name without the ending. */
  readonly file: string
  /** Whose rules and prices were simulated. */
  readonly model: string
  /** Null when the file has fewer than two answers with counts of cached tokens. */
  readonly report: RecordedCacheReport | null
}

export interface RecordedResult {
  readonly rows: readonly RecordedRow[]
  /** Files that are no sessions, each with the reason. */
  readonly skipped: readonly { readonly file: string; readonly reason: string }[]
}

/** Compares every session file of a folder. Folders in it are not entered. */
export async function measureRecorded(
  folder: string,
  tokens: TokenCounter,
  progress: Progress,
): Promise<RecordedResult> {
  const { sessions, skipped } = await readSessions(folder)
  const rows = sessions.map((session, index): RecordedRow => {
    progress.done(index, sessions.length)
    const profile = profileOf(session.model)
    return { file: session.name, model: profile.model, report: compareRecorded(session, profile, tokens) }
  })
  return { rows, skipped }
}

/** The usual model's for sessions that name no model whose prices are known. */
function profileOf(model = USUAL_MODEL): CachePricing {
  return findPrices(model) ?? findPricing({ model: USUAL_MODEL })
}
