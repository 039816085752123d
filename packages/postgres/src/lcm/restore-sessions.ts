import type { DumpRecord } from '@palimpsest/lcm'
import {
  type Lineage,
  namedSummaries,
  packName,
  planRecords,
  planRestore,
  type RestoredSession,
  restoreSteps,
  stateConflict,
  storedRange,
  toStoredSession,
} from '@palimpsest/lcm/store-kit'
import type { Database } from '../database/create-database.ts'
import type { Sql } from '../database/sql.ts'
import { readLineage } from './lineage.ts'
import { readRecords } from './read-records.ts'
import { findSession, insertSession, lockSession } from './session-row.ts'
import { findCovers } from './summary-rows.ts'
import { writePlan } from './write-plan.ts'

/** "LCMr" in ASCII, for an advisory lock: two restores at once into a schema would wait for each other's sessions. */
const LOCK = 0x4c434d72

/**
 * Writes sessions from their records, all or nothing, in one transaction. Only who writes to the same sessions waits;
 * memory holds some records at a time.
 */
export function restoreSessions(
  database: Database,
  records: AsyncIterable<DumpRecord>,
): Promise<{ readonly sessions: number; readonly messages: number }> {
  return database.writeOnce({}, async (sql) => {
    await sql.run('SELECT pg_advisory_xact_lock($1, hashtext(current_schema()))', LOCK)
    const now = atOnce(sql)
    const written = { sessions: 0, messages: 0 }
    let current: OpenRestore | undefined
    for await (const step of restoreSteps(records)) {
      if (step.begins !== undefined) {
        current = await beginRestore(sql, step.begins)
        if (current.goesOn) written.sessions++
      } else if (current !== undefined) {
        const { no, lineage, session, goesOn } = current
        const range = storedRange(session, step.records)
        const stored = range === undefined ? [] : await readRecords(sql, no, range.type, range)
        const covers = await findCovers(sql, lineage, namedSummaries(step.records))
        const plan = planRecords(session, step.records, stored, { coverOf: (number) => covers.get(number) })
        if (goesOn)
          await now((later) => writePlan(later, { no, principal: packName(session.principal) }, plan))
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

async function beginRestore(
  sql: Sql,
  record: Extract<DumpRecord, { type: 'session' }>,
): Promise<OpenRestore> {
  const { principal, key, parent } = record
  // For row-level security: the sessions may belong to many.
  await sql.run(`SELECT set_config('palimpsest.principal', $1, true)`, packName(principal))
  const found = await findSession(sql, record)
  const known = found && (await lockSession(sql, found.no)).session
  const origin = parent && (await findSession(sql, { principal, key: parent.key }))
  const restored = planRestore(record, known, origin && toStoredSession(origin))
  const row = found ?? (await insertSession(sql, restored.session, origin?.no ?? null))
  // Another writer has made it a moment ago.
  if (row === undefined) throw stateConflict(key)
  return { ...restored, no: row.no, lineage: await readLineage(sql, row) }
}

/** Sends at once what is otherwise left for the end: a restore is longer than memory, and reads what it has written. */
function atOnce(sql: Sql): (work: (later: Sql) => void) => Promise<void> {
  return async (work) => {
    const statements: Parameters<Sql['later']>[] = []
    work({ ...sql, later: (...statement) => statements.push(statement) })
    for (const statement of statements) await sql.run(...statement)
  }
}
