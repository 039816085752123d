import { exportStore, importStore } from './archive.ts'
import { createSession, lockSession, startedSession } from './create-session.ts'
import type { Database, Sql, Value } from './database.ts'
import { checkName, checkTime, storeConflict } from './errors.ts'
import { frontierRow, insertOf, ROWS_PER_SESSION, type SessionRow, sessionChecksum } from './rows.ts'
import { DEFAULT_PRINCIPAL, type SessionInfo, type SessionRef, type Store } from './types.ts'
import { repairIndex, verifyStore } from './verify.ts'

/** A store in a database. */
export function createStore(database: Database): Store {
  const find = async (
    sql: Sql,
    { principal = DEFAULT_PRINCIPAL, key }: SessionRef,
  ): Promise<SessionRow | undefined> => {
    const [row] = await sql.all<SessionRow>('SELECT * FROM session WHERE principal = ? AND key = ?', [
      principal,
      key,
    ])
    return row
  }
  return {
    kind: database.kind,
    location: database.location,
    async session(ref, at) {
      const principal = checkName('principal', ref.principal ?? DEFAULT_PRINCIPAL)
      const key = checkName('key', ref.key)
      checkTime('at', at)
      const known = await database.read((sql) => find(sql, { principal, key }), principal)
      if (known !== undefined) return createSession(database, known)
      const row = await database.write(async (sql) => {
        await sql.run(...newSession(principal, key, at))
        const made = await find(sql, { principal, key })
        if (made === undefined) throw storeConflict(`${key} was deleted while it was made`)
        // Another one may have made it in between, and have gone on.
        const { version } = await lockSession(database, sql, made)
        if (version === -1) await startSession(sql, made, at)
        return made
      }, principal)
      return createSession(database, row)
    },
    async find(ref) {
      const principal = ref.principal ?? DEFAULT_PRINCIPAL
      const row = await database.read((sql) => find(sql, ref), principal)
      return row === undefined || row.version === -1 ? null : createSession(database, row)
    },
    list: ({ principal, after, matching, limit }) =>
      database.read(async (sql) => {
        const conditions = ['version >= 0']
        const values: Value[] = []
        if (principal !== undefined) {
          conditions.push('principal = ?')
          values.push(principal)
        }
        const match = matching && database.matching('message', matching)
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
        const rows = await sql.all<SessionRow>(
          `SELECT * FROM session WHERE ${conditions.join(' AND ')} ORDER BY principal, key LIMIT ?`,
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
    export: (only) => exportStore(database, only && { principal: DEFAULT_PRINCIPAL, ...only }),
    import: (open) => importStore(database, open),
    async repair() {
      await repairIndex(database)
      return verifyStore(database)
    },
    close: () => database.close(),
  }
}

function newSession(principal: string, key: string, at: number): [string, Value[]] {
  const counters = { createdAt: at, lastAt: at, version: -1, nextSeq: 0, nextSummary: 1 }
  const [statement, values] = insertOf('session', [startedSession({ principal, key, ...counters })])
  return [`${statement} ON CONFLICT DO NOTHING`, values]
}

async function startSession(sql: Sql, { no, principal, ...row }: SessionRow, at: number): Promise<void> {
  const frontier = { version: 0, reason: 'start', nextSeq: 0, at, summaries: [] } as const
  await sql.run(...insertOf('frontier', [frontierRow(no, principal, frontier)]))
  const sum = sessionChecksum({ ...row, principal, version: 0 })
  await sql.run('UPDATE session SET version = 0, checksum = ? WHERE no = ?', [sum, no])
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
