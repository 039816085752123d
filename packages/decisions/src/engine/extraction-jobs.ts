import { createPause } from '@palimpsest/core'
import type { SourceMessage } from '../candidates/source-message.ts'
import { jobId } from '../log/ids.ts'
import type { ExtractionJob } from '../store/decision-store.ts'
import { hashOfMessages, type SessionRecord } from './session-record.ts'

/** Version of what a model is asked for: a new one makes new jobs. */
const EXTRACTION_VERSION = 1

/** Makes jobs of whole batches of turns. What it made is known by the record; the store passes over what it has seen. */
export interface ExtractionJobs {
  /**
   * Jobs for the batches that are complete and have none, when `added` follow on the first `keep` messages of the record.
   * `isComplete`: the last turn has ended.
   */
  next(record: SessionRecord, change: TranscriptChange): Promise<readonly ExtractionJob[]>
  /** Messages behind the last whole batch, the first and one behind the last; undefined when there are none. */
  rest(record: SessionRecord): { readonly from: number; readonly to: number } | undefined
}

/** New messages of a transcript, and how many of the old ones stay before them. */
interface TranscriptChange {
  readonly keep: number
  readonly added: readonly SourceMessage[]
  readonly isComplete: boolean
}

export function createExtractionJobs(batchTurns: number): ExtractionJobs {
  return {
    async next({ messages, session, batchEnds }, { keep, added, isComplete }) {
      const ends = batchEnds.filter((end) => end <= keep)
      const first = ends.at(-1) ?? 0
      const open = [...messages.slice(first, keep), ...added]
      const turns = (open.at(-1)?.turn ?? 0) - (isComplete ? 0 : 1)
      const jobs: ExtractionJob[] = []
      const pause = createPause()
      let from = first
      for (let batch = ends.length + 1; batch * batchTurns <= turns; batch++) {
        const to = first + firstOfTurn(open, batch * batchTurns + 1)
        const range = { from, to, version: EXTRACTION_VERSION }
        const content = hashOfMessages(open.slice(from - first, to - first))
        jobs.push({ ...range, id: jobId(session, range, content), attempts: 0 })
        from = to
        await pause()
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
function firstOfTurn(
  messages: { readonly length: number; at(index: number): { readonly turn: number } | undefined },
  turn: number,
): number {
  let low = 0
  let high = messages.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((messages.at(middle)?.turn ?? 0) < turn) low = middle + 1
    else high = middle
  }
  return low
}
