import type { Sql } from '@palimpsest/sqlite-kit'
import type { SessionMatch } from '../store/candidate-query.ts'
import type { LcmStore, SessionInfo } from '../store/lcm-store.ts'
import { packName, rowLimit, toStoredSession } from '../store-kit/row-columns.ts'
import { sessionInfo } from '../store-kit/stored-session.ts'
import { type Match, matchMessages, matchSummaries } from './match-expression.ts'
import { ROWS_PER_SESSION, type SessionRow } from './session-row.ts'

/** Sessions in the order of principal and key. */
export function listSessions(
  sql: Sql,
  { principal, after, matching, limit }: Parameters<LcmStore['list']>[0],
): SessionInfo[] {
  const matches = matching && indexed(matching)
  const conditions: string[] = []
  const values: string[] = []
  if (matches !== undefined) {
    const own = matches.map(
      ({ table }) => `SELECT rowid / ${ROWS_PER_SESSION} FROM ${table} WHERE ${table} MATCH ?`,
    )
    conditions.push(`no IN (${own.join(' UNION ')})`)
    values.push(...matches.map(({ expression }) => expression))
  }
  if (principal !== undefined) {
    conditions.push('principal = ?')
    values.push(packName(principal))
  }
  if (after !== undefined) {
    conditions.push('(principal, key) > (?, ?)')
    values.push(packName(after.principal), packName(after.key))
  }
  const where = conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`
  const query = `SELECT * FROM session ${where} ORDER BY principal, key LIMIT ?`
  return sql
    .all<SessionRow>(query, ...values, rowLimit(limit))
    .map((row) => sessionInfo(toStoredSession(row)))
}

/** The condition for the full-text tables; undefined when one of them is no help, so that every session counts. */
function indexed({ where, among }: SessionMatch): readonly Match[] | undefined {
  const matches = [
    ...(among === 'summaries' ? [] : [matchMessages(where)]),
    ...(among === 'messages' ? [] : [matchSummaries(where)]),
  ]
  return matches.every((match) => match !== null) ? matches : undefined
}
