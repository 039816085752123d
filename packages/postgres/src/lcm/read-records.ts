import type { OwnRecord } from '@palimpsest/lcm/store-kit'
import type { Sql } from '../database/sql.ts'
import type { FrontierRow } from './frontier-rows.ts'
import { MESSAGE_COLUMNS, type MessageRow, toMessage } from './message-rows.ts'
import { type SummaryRow, toNode } from './summary-rows.ts'

/** Own rows of a session between two numbers, both inclusive, in order, as records. */
export async function readRecords(
  sql: Sql,
  session: number,
  type: OwnRecord['type'],
  { first, last, limit = last - first + 1 }: { first: number; last: number; limit?: number },
): Promise<OwnRecord[]> {
  const read = <Row>(columns: string, table: string, number: string): Promise<Row[]> =>
    sql.all<Row>(
      `SELECT ${columns} FROM ${table}
       WHERE session = $1 AND ${number} BETWEEN $2 AND $3 ORDER BY ${number} LIMIT $4`,
      ...[session, first, last, limit],
    )
  if (type === 'message') {
    const rows = await read<MessageRow>(MESSAGE_COLUMNS, 'lcm_message', 'seq')
    return rows.map((row) => {
      const { replaced: _, ...message } = toMessage(row, [])
      return { type, ...message }
    })
  }
  if (type === 'summary') {
    const rows = await read<SummaryRow>('*', 'lcm_summary', 'number')
    return rows.map((row) => ({ type, ...toNode(row) }))
  }
  const rows = await read<FrontierRow>('version, reason, next_seq, at, summaries', 'lcm_frontier', 'version')
  return rows.map(({ next_seq: nextSeq, ...row }) => ({ type, ...row, nextSeq }))
}
