import type { Sql } from '@palimpsest/sqlite-kit'
import type { OwnRecord } from '../store-kit/plan-restore.ts'
import { readFrontiers } from './frontier-rows.ts'
import { type MessageRow, toMessage } from './message-rows.ts'
import { baseOf } from './row-ids.ts'
import { SUMMARY_COLUMNS, type SummaryRow, toNode } from './summary-rows.ts'

/** Own rows of a session between two numbers, both inclusive, in order, as records. */
export function readRecords(
  sql: Sql,
  session: number,
  type: OwnRecord['type'],
  { first, last, limit = last - first + 1 }: { first: number; last: number; limit?: number },
): OwnRecord[] {
  const base = baseOf(session)
  const bounds = [base + first, base + last, limit] as const
  if (type === 'message') {
    const query = 'SELECT * FROM message WHERE id BETWEEN ? AND ? ORDER BY id LIMIT 0 + ?'
    return sql.all<MessageRow>(query, ...bounds).map((row) => {
      const { replaced: _, ...message } = toMessage(row, [])
      return { type, ...message }
    })
  }
  if (type === 'summary') {
    const query = `SELECT ${SUMMARY_COLUMNS} FROM summary WHERE id BETWEEN ? AND ? ORDER BY id LIMIT 0 + ?`
    return sql.all<SummaryRow>(query, ...bounds).map((row) => ({ type, ...toNode(row) }))
  }
  return readFrontiers(sql, session, { first, last, limit }).map((frontier) => ({ type, ...frontier }))
}
