import { hash } from 'node:crypto'
import { isTime, isTokenCount } from '../store/check-input.ts'
import type { DumpRecord } from '../store/dump-record.ts'
import { hashSummary } from '../store/hash-summary.ts'
import { invalidDump } from './invalid-dump.ts'

type SessionRecord = Extract<DumpRecord, { type: 'session' }>

interface Progress {
  readonly session: SessionRecord
  seq: number
  summary: number
  version: number
}

/** Follows a sequence of records. Both methods throw StoreError `INVALID_DUMP`. */
export interface RecordChecker {
  /** Refuses a record that is not in its place, or that is not what its hash says. */
  take(record: DumpRecord): void
  /** Refuses an end inside a session. */
  end(): void
}

/**
 * Checks records one by one, without keeping them: that nothing is missing or out of order within a session, and that
 * nothing was changed. Whether a fork's parent is there is for the store to say.
 */
export function createRecordChecker(): RecordChecker {
  const names = new Set<string>()
  let progress: Progress | undefined

  const end = (): void => {
    if (progress === undefined) return
    const { session, seq, summary, version } = progress
    if (seq !== session.nextSeq || summary !== session.nextSummary || version - 1 !== session.version)
      throw invalidDump(`the session ${session.key} is incomplete`)
    progress = undefined
  }

  const begin = (session: SessionRecord): void => {
    end()
    const name = JSON.stringify([session.principal, session.key])
    if (names.has(name)) throw invalidDump(`the session ${session.key} comes twice`)
    names.add(name)
    const { seq = 0, summary = 1 } = session.parent ?? {}
    progress = { session, seq, summary, version: 0 }
  }

  return {
    take(record) {
      checkNumbers(record)
      if (record.type === 'session') begin(record)
      else if (progress === undefined) throw invalidDump(`a ${record.type} comes before its session`)
      else takeOwn(progress, record)
    },
    end,
  }
}

/** Values that no store could read again. */
function checkNumbers(record: DumpRecord): void {
  const times: number[] = []
  const tokens: number[] = []
  if (record.type === 'session') times.push(record.createdAt)
  else times.push(record.at)
  if (record.type === 'summary') {
    times.push(record.from, record.to)
    tokens.push(record.sourceTokens)
  }
  if (record.type === 'message' || record.type === 'summary') {
    times.push(record.forgotten?.at ?? 0)
    tokens.push(record.tokens)
  }
  if (!times.every(isTime)) throw invalidDump(`a ${record.type} has a time that is none`)
  if (!tokens.every(isTokenCount)) throw invalidDump(`a ${record.type} has a count of tokens that is none`)
}

function takeOwn(progress: Progress, record: Exclude<DumpRecord, SessionRecord>): void {
  const { nextSeq, nextSummary, version } = progress.session
  const misplaced = (ref: string) => invalidDump(`${ref} is not in its place`)
  if (record.type === 'message') {
    if (record.seq !== progress.seq || record.seq >= nextSeq) throw misplaced(`m${record.seq}`)
    if (record.forgotten === undefined && hash('sha256', record.json) !== record.hash)
      throw invalidDump(`m${record.seq} is not what its hash says`)
    progress.seq++
  } else if (record.type === 'summary') {
    if (record.number !== progress.summary || progress.seq !== nextSeq) throw misplaced(`s${record.number}`)
    if (record.forgotten === undefined && hashSummary(record) !== record.hash)
      throw invalidDump(`s${record.number} is not what its hash says`)
    progress.summary++
  } else {
    const isComplete = progress.seq === nextSeq && progress.summary === nextSummary
    if (record.version !== progress.version || record.version > version || !isComplete)
      throw misplaced(`version ${record.version}`)
    progress.version++
  }
}
