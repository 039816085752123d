import { rangeRef } from '../tools/refs.ts'
import type { FaultList } from './fault-list.ts'

/** Messages that are lost, told as runs: a damaged page takes many neighbours along. */
export interface LostRuns {
  missing(seq: number): void
  unreadable(seq: number, reason: string): void
  /** Tells of the last run. */
  end(): void
}

interface Run {
  readonly first: number
  readonly last: number
  readonly code: 'message-missing' | 'message-unreadable'
  readonly reason: string
}

/** Takes lost messages by ascending number, and adds one fault to the list for each run that is lost in the same way. */
export function createLostRuns(list: FaultList): LostRuns {
  let run: Run | undefined
  const end = (): void => {
    if (run === undefined) return
    const { first, last, code, reason } = run
    const ref = rangeRef(first, last)
    const count = last - first + 1
    const subject = count === 1 ? ref : `${ref} (${count} messages)`
    const fault =
      code === 'message-unreadable' ? `cannot be read: ${reason}` : `${count === 1 ? 'is' : 'are'} not there`
    list.add(code, `${subject} ${fault}`, ref)
    run = undefined
  }
  const take = (seq: number, code: Run['code'], reason: string): void => {
    if (run?.code === code && run.reason === reason && run.last === seq - 1) run = { ...run, last: seq }
    else {
      end()
      run = { first: seq, last: seq, code, reason }
    }
  }
  return {
    missing: (seq) => take(seq, 'message-missing', ''),
    unreadable: (seq, reason) => take(seq, 'message-unreadable', reason),
    end,
  }
}
