import { type Connection, checkFile, inTransaction, resultCode, type Sql } from '@palimpsest/sqlite-kit'
import type { StoreFault } from '../store/lcm-store.ts'
import { unpackName } from '../store-kit/row-columns.ts'
import { FULL_TEXT_TABLES, type FullTextTable } from './schema.ts'
import { numberOf, ROWS_PER_SESSION, type SessionRow } from './session-row.ts'

/** Finds the faults of a file. Reads all of it. Outside of a transaction. */
export function checkStore(sql: Sql): StoreFault[] {
  // One state of the file, whatever others write meanwhile. Comparing an index asks for the lock of a writer.
  const faults = inTransaction(sql, 'BEGIN', (): StoreFault[] => {
    const found = checkFile(sql).map((fault) => ({ ...fault, repairable: false }))
    return isDamaged(found) ? found : [...found, ...checkRows(sql)]
  })
  return isDamaged(faults) ? faults : [...faults, ...checkFullText(sql)]
}

/** Makes the indexes anew from the texts. Returns what is left. */
export async function repairStore(connection: Connection): Promise<StoreFault[]> {
  await connection.write((sql) => {
    sql.run('UPDATE message SET script = lcm_script(text) WHERE script <> lcm_script(text)')
    for (const table of FULL_TEXT_TABLES)
      if (isStale(sql, table)) sql.run(`INSERT INTO ${table} (${table}) VALUES ('rebuild')`)
  })
  return connection.direct(checkStore)
}

/** True when SQLite itself cannot read the file: nothing else can be said of it then. */
function isDamaged(faults: readonly StoreFault[]): boolean {
  return faults.some(({ code }) => code === 'damaged-file')
}

/** An index that does not say what the texts say. */
function checkFullText(sql: Sql): StoreFault[] {
  return FULL_TEXT_TABLES.filter((table) => isStale(sql, table)).map((table) => ({
    code: 'stale-index',
    message: `The index ${table} does not fit the texts; searches may miss some.`,
    repairable: true,
  }))
}

/** Result codes of SQLite: what an index answers when it is damaged, or when one of its tables is missing. */
const BROKEN_CODES: ReadonlySet<number> = new Set([1, 11])
const READ_ONLY = 8

/** Compares a full-text table with the texts that it was made of. */
function isStale(sql: Sql, table: FullTextTable): boolean {
  try {
    // The rank 1 asks for the comparison with the texts. It writes nothing, but asks for the lock of a writer.
    sql.run(`INSERT INTO ${table} (${table}, rank) VALUES ('integrity-check', 1)`)
    return false
  } catch (error) {
    const code = resultCode(error)
    // A file that cannot be written cannot be compared; what SQLite's own check sees of the index is all then.
    if (code === READ_ONLY) return false
    if (code === undefined || !BROKEN_CODES.has(code)) throw error
    return true
  }
}

/** Each finds rows of one kind of fault; `id` is the row id of a message or summary, `no` a session's number. */
interface RowCheck {
  readonly code: string
  readonly kind: 'm' | 's' | 'session'
  readonly message: string
  readonly repairable: boolean
  readonly query: string
}

/** Rows of each kind that are named. */
const MAX_ROWS = 100

const OWN_ROWS = `BETWEEN no * ${ROWS_PER_SESSION} AND no * ${ROWS_PER_SESSION} + ${ROWS_PER_SESSION - 1}`

/** A session that has not as many rows in a table as it counts. */
function missing(code: string, what: string, rows: string, counted: string): RowCheck {
  const query = `SELECT no FROM session WHERE (SELECT count(*) FROM ${rows}) <> ${counted}`
  return { code, kind: 'session', message: `has not as many ${what} as it counts`, repairable: false, query }
}

/** Rows whose session is not there. */
function stray(kind: 'm' | 's', table: string): RowCheck {
  const query = `SELECT id FROM ${table} WHERE NOT EXISTS (SELECT 1 FROM session WHERE no = id / ${ROWS_PER_SESSION})`
  return { code: 'stray-row', kind, message: 'belongs to no session', repairable: false, query }
}

const CHECKS: readonly RowCheck[] = [
  missing('missing-message', 'messages', `message WHERE id ${OWN_ROWS}`, 'next_seq'),
  missing('missing-summary', 'summaries', `summary WHERE id ${OWN_ROWS}`, 'next_summary - 1'),
  missing('missing-version', 'frontiers', 'version WHERE session = no', 'session.version + 1'),
  stray('m', 'message'),
  stray('s', 'summary'),
  {
    code: 'wrong-script',
    kind: 'm',
    message: 'is not indexed as its characters want it',
    repairable: true,
    query: 'SELECT id FROM message WHERE script <> lcm_script(text)',
  },
]

/** Contradictions between the rows of the store. */
function checkRows(sql: Sql): StoreFault[] {
  return CHECKS.flatMap(({ code, kind, message, repairable, query }) =>
    sql.all<{ id?: number; no?: number }>(`${query} LIMIT ${MAX_ROWS}`).map(({ id, no }): StoreFault => {
      const session = sql.get<Pick<SessionRow, 'principal' | 'key'>>(
        'SELECT principal, key FROM session WHERE no = ?',
        no ?? Math.floor((id ?? 0) / ROWS_PER_SESSION),
      )
      const owner = session && { principal: unpackName(session.principal), key: unpackName(session.key) }
      const ref = id === undefined ? undefined : `${kind}${numberOf(id)}`
      const subject = ref ?? `The session ${owner?.key}`
      return {
        code,
        message: `${subject} ${message}.`,
        ...owner,
        ...(ref !== undefined && { ref }),
        repairable,
      }
    }),
  )
}
