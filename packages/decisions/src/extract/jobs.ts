import { isObject, type Job, type NewJob, type SeqRange } from '@palimpsest/core'
import { jobId } from '../log/ids.ts'
import type { SourceMessage } from '../log/source.ts'
import { EXTRACTION_VERSION } from './request.ts'

const KIND = 'decisions'

const MAX_CHARACTERS = 48_000

/** A batch is due at this many turns with this many characters, or at four times as many turns of any length. */
export interface BatchSize {
  readonly turns: number
  readonly characters: number
}

/** Short turns wait for others, because each request repeats the same instructions. */
const PATIENCE = 4

export interface ReadingJob extends SeqRange, Pick<Job, 'id' | 'attempts'> {}

/**
 * Jobs for complete batches of turns.
 *
 * @param open The messages without a job.
 * @param isComplete True if the last turn has ended.
 */
export function nextJobs(
  session: string,
  open: readonly SourceMessage[],
  { turns, characters }: BatchSize,
  isComplete: boolean,
): readonly NewJob[] {
  const jobs: NewJob[] = []
  let from = 0
  let size = 0
  // A turn's end may arrive after its job, because an answer enters the log with the next message.
  let first = (open[0]?.turn ?? 0) + (open[0]?.role === 'user' ? 0 : 1)
  for (const [index, { text, turn }] of open.entries()) {
    size += text.length
    const isEnd = index + 1 === open.length ? isComplete : (open[index + 1]?.turn ?? 0) > turn
    const count = turn - first + 1
    if (!isEnd || count < turns || (size < characters && count < turns * PATIENCE)) continue
    jobs.push(...jobsFor(session, open.slice(from, index + 1)))
    from = index + 1
    size = 0
    first = turn + 1
  }
  return jobs
}

export function jobsFor(session: string, messages: readonly SourceMessage[]): NewJob[] {
  const jobs: NewJob[] = []
  let first: number | undefined
  let size = 0
  for (const [index, { seq, text }] of messages.entries()) {
    first ??= seq
    size += text.length
    const next = messages[index + 1]
    if (next !== undefined && size + next.text.length <= MAX_CHARACTERS) continue
    const range: SeqRange = { first, last: seq }
    jobs.push({ id: jobId(session, range, EXTRACTION_VERSION), kind: KIND, body: range })
    first = undefined
    size = 0
  }
  return jobs
}

export function readJob({ id, kind, body, attempts }: Job): ReadingJob | undefined {
  if (kind !== KIND || !isObject(body)) return undefined
  const { first, last } = body
  return Number.isSafeInteger(first) && Number.isSafeInteger(last)
    ? { id, attempts, first: Number(first), last: Number(last) }
    : undefined
}
