import type { LcmStore, SessionInfo, SessionMatch } from '@palimpsest/lcm'
import { packName, rowLimit, sessionInfo, toStoredSession } from '@palimpsest/lcm/store-kit'
import type { Sql, SqlValue } from '../database/sql.ts'
import { indexedLists, matchMessages, matchSummaries } from './match-conditions.ts'
import type { SessionRow } from './session-row.ts'

/** The time for the server to look for matching rows, in milliseconds. */
const MATCH_LIMIT = 5_000

/** Sessions in the order of principal and key. */
export async function listSessions(
  sql: Sql,
  { principal, after, matching, limit }: Parameters<LcmStore['list']>[0],
): Promise<SessionInfo[]> {
  const values: SqlValue[] = [rowLimit(limit)]
  const add = (value: string) => `$${values.push(packName(value))}`
  const conditions = principal === undefined ? [] : [`principal = ${add(principal)}`]
  const own = [...conditions]
  if (after !== undefined) conditions.push(`(principal, key) > (${add(after.principal)}, ${add(after.key)})`)
  const found = matching && matchingSessions(matching, own, values)
  if (found !== undefined) conditions.push('no IN (SELECT no FROM matching)')
  const where = conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`
  if (found !== undefined) await sql.run(`SET LOCAL statement_timeout = ${MATCH_LIMIT}`)
  const rows = await sql.all<SessionRow>(
    `${found ?? ''} SELECT * FROM lcm_session ${where} ORDER BY principal, key LIMIT $1`,
    ...values,
  )
  return rows.map((row) => sessionInfo(toStoredSession(row)))
}

/**
 * Names the numbers of the sessions that have a matching row, found by the index before the sessions are looked at. Undefined when no index helps, so that every session
 * counts.
 *
 * @param own The condition that binds their rows.
 * @param values Gets the values of the match.
 */
function matchingSessions(
  { where, among }: SessionMatch,
  own: readonly string[],
  values: SqlValue[],
): string | undefined {
  const tables = [
    { name: 'lcm_message', among: 'messages', match: matchMessages, lists: indexedLists(where, true) },
    { name: 'lcm_summary', among: 'summaries', match: matchSummaries, lists: indexedLists(where, false) },
  ].filter((table) => among === 'both' || among === table.among)
  if (tables.some(({ lists }) => lists.length === 0)) return undefined
  const bounds = ['forgotten_at IS NULL', ...own].join(' AND ')
  const selects = tables.map(({ name, match, lists }) => {
    const condition = match(lists, values.length)
    values.push(...condition.values)
    return `SELECT session AS no FROM ${name} WHERE ${bounds}${condition.text}`
  })
  return `WITH matching AS MATERIALIZED (${selects.join(' UNION ')})`
}
