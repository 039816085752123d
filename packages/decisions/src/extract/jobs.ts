import { jobId } from '../log/ids.ts'
import { hashText, type SourceMessage } from '../log/source.ts'
import type { ExtractionJob } from '../store/decision-store.ts'
import { EXTRACTION_VERSION } from './request.ts'

/** Characters that one job has at most: about 12,000 tokens. */
const MAX_CHARACTERS = 48_000

interface Place {
  readonly session: string
  readonly jobsEnd: number
}

/** When a batch is due: at so many turns with so many characters, and at four times as many turns with any. */
export interface BatchSize {
  readonly turns: number
  readonly characters: number
}

/** Short turns wait for others, because each request has the same instructions. */
const PATIENCE = 4

/**
 * Jobs for the batches of turns that are complete. What has a job is never in another one.
 *
 * @param open The messages from `jobsEnd` on.
 * @param isComplete The last turn has ended.
 */
export function nextJobs(
  { session, jobsEnd }: Place,
  open: readonly SourceMessage[],
  { turns, characters }: BatchSize,
  isComplete: boolean,
): readonly ExtractionJob[] {
  const jobs: ExtractionJob[] = []
  let from = 0
  let size = 0
  // The messages before the first one of the user belong to the first turn.
  let first = Math.max(1, open[0]?.turn ?? 0)
  for (const [index, { text, turn }] of open.entries()) {
    size += text.length
    const isEnd = index + 1 === open.length ? isComplete : (open[index + 1]?.turn ?? 0) > turn
    const count = turn - first + 1
    if (!isEnd || count < turns || (size < characters && count < turns * PATIENCE)) continue
    jobs.push(...jobsOf(session, jobsEnd, open, from, index + 1))
    from = index + 1
    size = 0
    first = turn + 1
  }
  return jobs
}

/** Jobs for all messages that have none, but for a last message of the user, which stays in view and will be answered. */
export function restJobs(
  { session, jobsEnd }: Place,
  open: readonly SourceMessage[],
): readonly ExtractionJob[] {
  const isAsking = open.at(-1)?.role === 'user'
  return jobsOf(session, jobsEnd, open, 0, open.length - (isAsking ? 1 : 0))
}

/** A long batch is cut between messages. */
function jobsOf(
  session: string,
  jobsEnd: number,
  open: readonly SourceMessage[],
  from: number,
  to: number,
): ExtractionJob[] {
  const jobs: ExtractionJob[] = []
  let size = 0
  for (let [begin, index] = [from, from]; index < to; index++) {
    size += open[index]?.text.length ?? 0
    const isFull = size + (open[index + 1]?.text.length ?? 0) > MAX_CHARACTERS
    if (!isFull && index + 1 < to) continue
    const range = { from: jobsEnd + begin, to: jobsEnd + index + 1, version: EXTRACTION_VERSION }
    const content = hashText(
      open
        .slice(begin, index + 1)
        .map(({ hash }) => hash)
        .join(),
    )
    jobs.push({ ...range, id: jobId(session, range, content), attempts: 0 })
    begin = index + 1
    size = 0
  }
  return jobs
}
