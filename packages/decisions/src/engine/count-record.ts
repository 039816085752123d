import { isContested, isRemark } from '../log/decision.ts'
import type { SessionRecord } from './session-record.ts'

/** The record of a session in numbers. */
export interface RecordCounts {
  /** Decisions that hold, those that are contested among them. */
  readonly active: number
  readonly contested: number
  /** Remarks of the user's on subjects on which nothing holds. */
  readonly remarks: number
  /** Decisions that gave way to others, that were given up, and that were never taken up. */
  readonly superseded: number
  readonly retracted: number
  readonly proposed: number
  /** Files that were touched. */
  readonly files: number
}

export function countRecord({ ledger, touched }: Pick<SessionRecord, 'ledger' | 'touched'>): RecordCounts {
  const { all } = ledger
  const of = (wanted: string) => all.filter(({ status }) => status === wanted).length
  const remarks = all.filter((decision) => decision.status === 'proposed' && isRemark(decision)).length
  return {
    active: of('active'),
    contested: all.filter(isContested).length,
    remarks,
    superseded: of('superseded'),
    retracted: of('retracted'),
    proposed: of('proposed') - remarks,
    files: touched.size,
  }
}
