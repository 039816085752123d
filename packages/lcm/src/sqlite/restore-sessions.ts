import type { Connection, Sql } from '@palimpsest/sqlite-kit'
import type { DumpRecord } from '../store/dump-record.ts'
import type { Lineage } from '../store-kit/lineage.ts'
import {
  planRecords,
  planRestore,
  type RestoredSession,
  restoreSteps,
  storedRange,
} from '../store-kit/plan-restore.ts'
import { toStoredSession } from '../store-kit/row-columns.ts'
import { readLineage } from './lineage.ts'
import { readRecords } from './read-records.ts'
import { findSession, insertSession, readSession } from './session-row.ts'
import { knownRows, writePlan } from './write-plan.ts'

/**
 * Writes sessions from their records, all or nothing. It holds the file for itself until the last record has come,
 * on a connection of its own: memory holds some records at a time, and whoever else writes waits.
 */
export async function restoreSessions(
  connection: Connection,
  records: AsyncIterable<DumpRecord>,
): Promise<{ readonly sessions: number; readonly messages: number }> {
  return connection.writeAlone(async (sql) => {
    const written = { sessions: 0, messages: 0 }
    let current: OpenRestore | undefined
    for await (const step of restoreSteps(records)) {
      if (step.begins !== undefined) {
        current = beginRestore(sql, step.begins)
        if (current.goesOn) written.sessions++
      } else if (current !== undefined) {
        const { no, lineage, session, goesOn } = current
        const range = storedRange(session, step.records)
        const stored = range === undefined ? [] : readRecords(sql, no, range.type, range)
        const plan = planRecords(session, step.records, stored, knownRows(sql, lineage))
        if (goesOn) writePlan(sql, no, lineage, plan)
        current = { ...current, session: plan.session }
        written.messages += plan.messages.length
      }
    }
    return written
  })
}

interface OpenRestore extends RestoredSession {
  readonly no: number
  readonly lineage: Lineage
}

function beginRestore(sql: Sql, record: Extract<DumpRecord, { type: 'session' }>): OpenRestore {
  const { principal, parent } = record
  const known = findSession(sql, record)
  const origin = parent && findSession(sql, { principal, key: parent.key })
  const restored = planRestore(record, known && toStoredSession(known), origin && toStoredSession(origin))
  const row = known ?? readSession(sql, insertSession(sql, restored.session, origin?.no ?? null))
  return { ...restored, no: row.no, lineage: readLineage(sql, row) }
}
