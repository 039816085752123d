import { jobId } from '../log/ids.ts'
import type { ExtractionJob } from '../store/extraction-job.ts'
import { hashOfRange, type SessionRecord } from './session-record.ts'

/** Version of what a model is asked for: a new one makes new jobs. */
export const EXTRACTION_VERSION = 1

/** Makes jobs of whole batches of turns. What it made is known by the record; the store passes over what it has seen. */
export interface ExtractionJobs {
  /** Jobs for the batches that are complete by now and have none. `isComplete`: the last turn has ended. */
  next(record: SessionRecord, isComplete: boolean): readonly ExtractionJob[]
  /** Messages behind the last whole batch, the first and one behind the last; undefined when there are none. */
  rest(record: SessionRecord): { readonly from: number; readonly to: number } | undefined
}

export function createExtractionJobs(batchTurns: number): ExtractionJobs {
  return {
    next(record, isComplete) {
      const { messages, session, batchEnds } = record
      const turns = (messages.at(-1)?.turn ?? 0) - (isComplete ? 0 : 1)
      const jobs: ExtractionJob[] = []
      let from = batchEnds.at(-1) ?? 0
      for (let batch = batchEnds.length + 1; batch * batchTurns <= turns; batch++) {
        const to = firstOfTurn(messages, batch * batchTurns + 1)
        const range = { from, to, version: EXTRACTION_VERSION }
        jobs.push({ ...range, id: jobId(session, range, hashOfRange(record, from, to)), attempts: 0 })
        from = to
      }
      return jobs
    },
    rest({ messages, batchEnds }) {
      const whole = Math.floor(((messages.at(-1)?.turn ?? 1) - 1) / batchTurns)
      const from = Math.max(batchEnds.at(-1) ?? 0, firstOfTurn(messages, whole * batchTurns + 1))
      return from < messages.length ? { from, to: messages.length } : undefined
    },
  }
}

/** Index of the first message of a turn or of a later one, found by halving. */
function firstOfTurn(messages: readonly { readonly turn: number }[], turn: number): number {
  let low = 0
  let high = messages.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((messages[middle]?.turn ?? 0) < turn) low = middle + 1
    else high = middle
  }
  return low
}
