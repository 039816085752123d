import type { SessionRecord } from './session-record.ts'

/** What is on record of a session, in numbers. */
export interface RecordCounts {
  /** Decisions that hold, those that are contested among them. */
  readonly active: number
  readonly contested: number
  /** Decisions that gave way to others, that were given up, and that nobody took up. */
  readonly superseded: number
  readonly retracted: number
  readonly proposed: number
  /** Files that were touched. */
  readonly files: number
}

export function countRecord({
  ledger,
  artifacts,
}: Pick<SessionRecord, 'ledger' | 'artifacts'>): RecordCounts {
  const { all } = ledger
  const of = (wanted: string) => all.filter(({ status }) => status === wanted).length
  return {
    active: of('active'),
    contested: all.filter(({ contestedBy }) => contestedBy.length > 0).length,
    superseded: of('superseded'),
    retracted: of('retracted'),
    proposed: of('proposed'),
    files: new Set(artifacts.map(({ path }) => path)).size,
  }
}
