import type { Sql } from '@palimpsest/sqlite-kit'
import { StoreError } from '../errors/store-error.ts'
import type { Scope } from '../log/decision-event.ts'
import type { StoredEvent } from '../store/decision-store.ts'
import type { BatchRows } from '../store-kit/batch-rows.ts'
import { decodeRow, toStoredEvents } from '../store-kit/create-session.ts'

/** Puts events behind the log; one whose id is there is passed over. Returns how many are new. */
export function appendEvents(sql: Sql, principal: number, events: BatchRows['events']): number {
  let added = 0
  for (const { id, scope, json } of events) {
    const name = JSON.stringify(id)
    if (sql.get('SELECT 1 FROM event WHERE principal = ? AND id = ?', principal, name) !== undefined) continue
    sql.run(
      'INSERT INTO event (principal, scope, id, json) VALUES (?, ?, ?, ?)',
      ...[principal, scopeNumber(sql, principal, scope), name, json],
    )
    added++
  }
  return added
}

function scopeNumber(sql: Sql, principal: number, scope: string): number {
  const find = () => {
    const query = 'SELECT no FROM scope WHERE principal = ? AND name = ?'
    return sql.get<{ no: number }>(query, principal, JSON.stringify(scope))?.no
  }
  const known = find()
  if (known !== undefined) return known
  sql.run('INSERT INTO scope (principal, name) VALUES (?, ?)', principal, JSON.stringify(scope))
  const made = find()
  if (made === undefined) throw new StoreError('STORE_CORRUPT', `the scope ${scope} could not be made`)
  return made
}

/** Events of some scopes behind a place of the log, in order. */
export function readEvents(
  sql: Sql,
  principal: number | undefined,
  { scopes, after = 0 }: { readonly scopes: readonly string[]; readonly after?: number },
): StoredEvent[] {
  if (principal === undefined || scopes.length === 0) return []
  const rows = sql.all<{ seq: number; json: string }>(
    `SELECT seq, json FROM event WHERE seq > ? AND scope IN (
       SELECT no FROM scope WHERE principal = ? AND name IN (SELECT value FROM json_each(?))
     ) ORDER BY seq`,
    ...[after, principal, JSON.stringify(scopes.map((scope) => JSON.stringify(scope)))],
  )
  return toStoredEvents(rows)
}

/** Scopes that have events, the oldest first. */
export function readScopes(sql: Sql, principal: number | undefined): Scope[] {
  if (principal === undefined) return []
  const rows = sql.all<{ name: string }>('SELECT name FROM scope WHERE principal = ? ORDER BY no', principal)
  return rows.map(({ name }) => decodeRow<Scope>(name))
}
