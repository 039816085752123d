import type { Scope, StoredEvent } from '@palimpsest/decisions'
import { type BatchRows, toStoredEvents } from '@palimpsest/decisions/store-kit'
import { packName, unpackName } from '@palimpsest/lcm/store-kit'
import { insertRows } from '../database/insert-rows.ts'
import type { Sql } from '../database/sql.ts'
import { nameDigest } from './name-digest.ts'
import type { SessionRow } from './session-row.ts'

/**
 * Puts events behind the log of a principal; one whose id is there is passed over. Holds the log until the end of the
 * transaction. Returns how many are new.
 */
export async function appendEvents(
  sql: Sql,
  { log, principal }: Pick<SessionRow, 'log' | 'principal'>,
  events: BatchRows['events'],
): Promise<number> {
  if (events.length === 0) return 0
  await sql.run('SELECT 1 FROM decisions_log WHERE no = $1 FOR NO KEY UPDATE', log)
  const known = await sql.all<{ id: string }>(
    'SELECT id FROM decisions_event WHERE log = $1 AND id = ANY ($2)',
    ...[log, events.map(({ id }) => id)],
  )
  const ids = new Set(known.map(({ id }) => id))
  const added = events.filter(({ id }) => !ids.has(id))
  const scopes = new Map<string, number | null>()
  for (const { scope } of added)
    if (!scopes.has(scope)) scopes.set(scope, await scopeNumber(sql, { log, principal }, scope))
  const rows = added.map(({ id, scope, json }) => [log, scopes.get(scope) ?? null, principal, id, json])
  const columns = ['log', 'scope', 'principal', 'id', 'json']
  // The same id may come twice in one batch.
  return insertRows(sql, 'decisions_event', columns, rows, 'ON CONFLICT (log, id) DO NOTHING')
}

async function scopeNumber(
  sql: Sql,
  { log, principal }: Pick<SessionRow, 'log' | 'principal'>,
  scope: string,
): Promise<number | null> {
  const digest = nameDigest(scope)
  const find = 'SELECT no FROM decisions_scope WHERE log = $1 AND digest = $2'
  // Whoever adds events holds the log, so no other call makes the scope meanwhile.
  const add =
    'INSERT INTO decisions_scope (log, principal, name, digest) VALUES ($1, $2, $3, $4) RETURNING no'
  type Row = { readonly no: number }
  const row =
    (await sql.get<Row>(find, log, digest)) ??
    (await sql.get<Row>(add, log, principal, packName(scope), digest))
  return row?.no ?? null
}

/** Events of some scopes of a principal behind a place of the log, in order. */
export async function readEvents(
  sql: Sql,
  principal: string,
  { scopes, after = 0 }: { readonly scopes: readonly string[]; readonly after?: number },
): Promise<StoredEvent[]> {
  if (scopes.length === 0) return []
  const digests = scopes.map((scope) => nameDigest(scope).toString('hex'))
  const rows = await sql.all<{ seq: number; json: string }>(
    `SELECT seq, json FROM decisions_event WHERE seq > $3::double precision AND scope IN (
       SELECT scope.no FROM decisions_scope AS scope JOIN decisions_log AS log ON log.no = scope.log
       WHERE log.digest = $1 AND scope.digest IN (SELECT decode(name, 'hex') FROM unnest($2::text[]) AS name)
     ) ORDER BY seq`,
    ...[nameDigest(principal), digests, after],
  )
  return toStoredEvents(rows)
}

/** Scopes that have events, the oldest first. */
export async function readScopes(sql: Sql, principal: string): Promise<Scope[]> {
  const rows = await sql.all<{ name: string }>(
    `SELECT name FROM decisions_scope WHERE log = (SELECT no FROM decisions_log WHERE digest = $1) ORDER BY no`,
    nameDigest(principal),
  )
  return rows.map(({ name }) => unpackName(name) as Scope)
}
