import { type Connection, checkFile, inTransaction, resultCode, type Sql } from '@palimpsest/sqlite-kit'
import type { StoreFault } from '../store/lcm-store.ts'
import { unpackName } from '../store-kit/row-columns.ts'
import { FULL_TEXT_TABLES, type FullTextTable } from './schema.ts'
import { numberOf, ROWS_PER_SESSION, type SessionRow } from './session-row.ts'

const WRONG_SCRIPT = 'script <> lcm_script(lcm_text(json))'
const STRAY = `NOT EXISTS (SELECT 1 FROM session WHERE no = id / ${ROWS_PER_SESSION})`

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
    sql.run(`UPDATE message SET script = lcm_script(lcm_text(json)) WHERE ${WRONG_SCRIPT}`)
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

/** Rows of each kind that are named. */
const MAX_ROWS = 100

/** Kinds of faults: the code, the prefix of a row's number, what is said of it, and whether it can be mended. */
const CHECKS = [
  ['stray-row', 'm', 'belongs to no session', false, `message WHERE ${STRAY}`],
  ['stray-row', 's', 'belongs to no session', false, `summary WHERE ${STRAY}`],
  ['wrong-script', 'm', 'is not indexed as its characters want it', true, `message WHERE ${WRONG_SCRIPT}`],
] as const

/** Contradictions between the rows of the store. What a session counts and does not hold, `verifySession` finds. */
function checkRows(sql: Sql): StoreFault[] {
  return CHECKS.flatMap(([code, kind, message, repairable, from]) =>
    sql.all<{ id: number }>(`SELECT id FROM ${from} LIMIT ${MAX_ROWS}`).map(({ id }): StoreFault => {
      const session = sql.get<Pick<SessionRow, 'principal' | 'key'>>(
        'SELECT principal, key FROM session WHERE no = ?',
        Math.floor(id / ROWS_PER_SESSION),
      )
      const owner = session && { principal: unpackName(session.principal), key: unpackName(session.key) }
      const ref = `${kind}${numberOf(id)}`
      return { code, message: `${ref} ${message}.`, ...owner, ref, repairable }
    }),
  )
}
