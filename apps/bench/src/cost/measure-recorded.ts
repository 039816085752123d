import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { TokenCounter } from '@palimpsest/core'
import {
  type CacheProfile,
  compareRecorded,
  findProfile,
  type RecordedCacheReport,
  UnknownModelError,
} from '@palimpsest/prompt-caching'
import { readTranscript, TranscriptError } from '@palimpsest/transcripts'
import type { Progress } from '../lcm/progress.ts'

/** What a provider reported in one recorded session, beside what the simulator says. */
export interface RecordedRow {
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

/** For sessions that name no model whose prices are known. */
const USUAL_MODEL = 'claude-sonnet-5-5'

/** Compares every session file of a folder. Folders in it are not entered. */
export async function measureRecorded(
  folder: string,
  tokens: TokenCounter,
  progress: Progress,
): Promise<RecordedResult> {
  const entries = await readdir(folder, { withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile()).map(({ name }) => name)
  const rows: RecordedRow[] = []
  const skipped: { file: string; reason: string }[] = []
  for (const [index, file] of files.sort().entries()) {
    try {
      const transcript = await readTranscript(join(folder, file))
      const profile = profileOf(transcript.model)
      rows.push({ file, model: profile.model, report: compareRecorded(transcript, profile, tokens) })
    } catch (error) {
      if (!TranscriptError.isInstance(error)) throw error
      skipped.push({ file, reason: error.code })
    }
    progress.done(index + 1, files.length)
  }
  return { rows, skipped }
}

function profileOf(model: string | undefined): CacheProfile {
  try {
    return findProfile({ model: model ?? USUAL_MODEL })
  } catch (error) {
    if (!(error instanceof UnknownModelError)) throw error
    return findProfile({ model: USUAL_MODEL })
  }
}
