import type { Sql } from '@palimpsest/sqlite-kit'
import type { KnownRows } from '../history/check-frontier.ts'
import { type Lineage, messageSegment } from '../store-kit/lineage.ts'
import type { WritePlan } from '../store-kit/plan-write.ts'
import { unpackName } from '../store-kit/stored-values.ts'
import { writeFrontier } from './frontier-rows.ts'
import { insertMessage } from './message-rows.ts'
import { baseOf } from './row-ids.ts'
import { updateSession } from './session-row.ts'
import { findCover, insertSummaries } from './summary-rows.ts'

/** Writes what was planned for a session that is there. Within a transaction. `indexLater`: see `insertMessage`. */
export function writePlan(sql: Sql, no: number, lineage: Lineage, plan: WritePlan, indexLater = false): void {
  const base = baseOf(no)
  for (const message of plan.messages) insertMessage(sql, base + message.seq, message, indexLater)
  insertSummaries(sql, base, lineage, plan.summaries, indexLater)
  for (const frontier of plan.frontiers) writeFrontier(sql, no, lineage, frontier)
  updateSession(sql, no, plan.session)
}

/** The rows that plans are checked against; read as they are asked for. */
export function knownRows(sql: Sql, lineage: Lineage): KnownRows {
  return {
    roleOf(seq) {
      const segment = messageSegment(lineage, seq)
      if (segment === undefined) return undefined
      const id = baseOf(segment.session) + seq
      const row = sql.get<{ role: string }>('SELECT role FROM message WHERE id = ?', id)
      return row && unpackName(row.role)
    },
    coverOf: (number) => findCover(sql, lineage, number),
  }
}
