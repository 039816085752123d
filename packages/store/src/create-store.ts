import { DEFAULT_PRINCIPAL, type SessionInfo, type Store } from '@palimpsest/core'
import { exportStore, importStore } from './archive.ts'
import { createSession, findSession, insertSession } from './create-session.ts'
import type { Database, Sql, Value } from './database.ts'
import { checkName, checkTime, storeConflict } from './errors.ts'
import { checkSession, frontierRow, insert, ROWS_PER_SESSION, type SessionRow } from './rows.ts'
import { matching } from './text-index.ts'
import { repairIndex, verifyStore } from './verify.ts'

/** Creates a store in a database. */
export function createStore(database: Database): Store {
  const damaged = new Set<string>()
  const open = (row: SessionRow) => {
    const { key } = checkSession(row)
    return createSession(database, row, (ref) => damaged.add(`${key}: ${ref}`))
  }
  return {
    kind: database.kind,
    location: database.location,
    async session(ref, at) {
      const principal = checkName('principal', ref.principal ?? DEFAULT_PRINCIPAL)
      const key = checkName('key', ref.key)
      checkTime('at', at)
      const known = await database.read((sql) => findSession(sql, principal, key), principal)
      const row = known ?? (await database.write((sql) => startSession(sql, principal, key, at), principal))
      return open(row)
    },
    async find({ principal = DEFAULT_PRINCIPAL, key }) {
      const row = await database.read((sql) => findSession(sql, principal, key), principal)
      return row === undefined ? null : open(row)
    },
    list: ({ principal, after, matching: given, limit }) =>
      database.read(async (sql) => {
        const conditions: string[] = []
        const values: Value[] = []
        if (principal !== undefined) {
          conditions.push('principal = ?')
          values.push(principal)
        }
        const match = given && matching(database, 'message', given)
        if (match?.condition !== undefined) {
          conditions.push(
            `no IN (SELECT ${match.id} / ${ROWS_PER_SESSION} FROM ${match.from} WHERE ${match.condition})`,
          )
          values.push(...match.values)
        }
        if (after !== undefined) {
          conditions.push('(principal, key) > (?, ?)')
          values.push(after.principal, after.key)
        }
        const where = conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`
        const rows = await sql.all<SessionRow>(
          `SELECT * FROM session ${where} ORDER BY principal, key LIMIT ?`,
          [...values, limit],
        )
        return rows.map(toInfo)
      }, principal),
    scopes: (principal = DEFAULT_PRINCIPAL) =>
      database.read(async (sql) => {
        const query = 'SELECT DISTINCT scope FROM event WHERE principal = ? ORDER BY scope'
        return (await sql.all<{ scope: string }>(query, [principal])).map(({ scope }) => scope)
      }, principal),
    verify: (options) => verifyStore(database, options),
    export: (only) =>
      exportStore(database, (ref) => damaged.add(ref), only && { principal: DEFAULT_PRINCIPAL, ...only }),
    damaged: () => [...damaged],
    import: (open) => importStore(database, open),
    async repair() {
      await repairIndex(database)
      return verifyStore(database)
    },
    close: () => database.close(),
  }
}

async function startSession(sql: Sql, principal: string, key: string, at: number): Promise<SessionRow> {
  const counters = { createdAt: at, lastAt: at, version: 0, edits: 0, nextSeq: 0, nextSummary: 1 }
  const isNew = await insertSession(sql, { principal, key, ...counters })
  const made = await findSession(sql, principal, key)
  if (made === undefined) throw storeConflict(`${key} was deleted while it was made`)
  const frontier = { version: 0, reason: 'start', nextSeq: 0, at, summaries: [] } as const
  if (isNew) await insert(sql, 'frontier', [frontierRow(made.no, principal, frontier)])
  return made
}

function toInfo({ principal, key, next_seq, next_summary, created_at, last_at }: SessionRow): SessionInfo {
  return {
    principal,
    key,
    messages: next_seq,
    summaries: next_summary - 1,
    createdAt: created_at,
    lastAt: last_at,
  }
}
