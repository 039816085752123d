import type { StoreFault } from '@palimpsest/lcm'
import { unpackName } from '@palimpsest/lcm/store-kit'
import type { Database } from '../database/create-database.ts'
import type { Sql } from '../database/sql.ts'
import { LCM_TABLES } from './schema.ts'
import { mendRow, type StaleRow, staleRows } from './stale-rows.ts'

/** Rows of one kind of fault that are named. */
const MAX_ROWS = 100

/** The faults of the tables. Reads all of them; pages and trees are for the server's own `pg_amcheck`. */
export async function checkStore(database: Database): Promise<StoreFault[]> {
  const faults = await database.read({}, async (sql) => [
    ...(await invalidIndexes(sql)).map(indexFault),
    ...(await checkRows(sql)),
  ])
  let stale = 0
  for await (const row of staleRows(database)) {
    faults.push(rowFault(row))
    if (++stale === MAX_ROWS) break
  }
  return faults
}

/** Makes anew what follows from the texts: the columns that are searched, and their indexes. */
export async function repairStore(database: Database): Promise<StoreFault[]> {
  await database.write({}, async (sql) => {
    for (const name of await invalidIndexes(sql)) await sql.run(`REINDEX INDEX ${name}`)
  })
  for await (const row of staleRows(database)) await database.write({}, (sql) => mendRow(sql, row))
  return checkStore(database)
}

/** Indexes that are not used, because making them was interrupted. Their names are quoted. */
async function invalidIndexes(sql: Sql): Promise<string[]> {
  const rows = await sql.all<{ name: string }>(
    `SELECT indexrelid::regclass::text AS name FROM pg_index
     WHERE NOT indisvalid AND indrelid = ANY ($1::text[]::regclass[])`,
    LCM_TABLES,
  )
  return rows.map(({ name }) => name)
}

function indexFault(name: string): StoreFault {
  return {
    code: 'invalid-index',
    message: `The index ${name} is not in use; searches are slow.`,
    repairable: true,
  }
}

function rowFault({ table, number, principal, key }: StaleRow): StoreFault {
  const ref = `${table === 'lcm_message' ? 'm' : 's'}${number}`
  return {
    code: 'stale-index',
    message: `${ref} is not indexed as its text wants it; searches may miss it.`,
    principal: unpackName(principal),
    key: unpackName(key),
    ref,
    repairable: true,
  }
}

/** Finds rows of one kind of fault: the session, its names, and the number of a message or a summary. */
interface RowCheck {
  readonly code: string
  /** The prefix of the number. */
  readonly kind: 'm' | 's' | ''
  readonly message: string
  readonly repairable: boolean
  readonly query: string
}

const SESSION = 'SELECT principal, key, NULL::integer AS number FROM lcm_session'

/** A session that has not as many rows in a table as it counts. */
function missing(code: string, table: string, what: string, counted: string): RowCheck {
  const query = `${SESSION} WHERE (SELECT count(*) FROM ${table} WHERE session = no) <> ${counted}`
  return { code, kind: '', message: `has not as many ${what} as it counts`, repairable: false, query }
}

/** Rows whose session is not there, or belongs to another principal. */
function stray(kind: 'm' | 's', table: string, number: string): RowCheck {
  const query = `SELECT row.principal, NULL::text AS key, ${number} AS number FROM ${table} AS row
    WHERE NOT EXISTS (SELECT 1 FROM lcm_session WHERE no = session AND lcm_session.principal = row.principal)`
  return { code: 'stray-row', kind, message: 'belongs to no session', repairable: false, query }
}

const CHECKS: readonly RowCheck[] = [
  missing('missing-message', 'lcm_message', 'messages', 'next_seq'),
  missing('missing-summary', 'lcm_summary', 'summaries', 'next_summary - 1'),
  missing('missing-version', 'lcm_frontier', 'frontiers', 'lcm_session.version + 1'),
  stray('m', 'lcm_message', 'seq'),
  stray('s', 'lcm_summary', 'number'),
]

/** Contradictions between the rows of the store. */
async function checkRows(sql: Sql): Promise<StoreFault[]> {
  const faults: StoreFault[] = []
  for (const { code, kind, message, repairable, query } of CHECKS) {
    type Row = { readonly principal: string; readonly key: string | null; readonly number: number | null }
    for (const { principal, key, number } of await sql.all<Row>(`${query} LIMIT ${MAX_ROWS}`)) {
      const ref = number === null ? undefined : `${kind}${number}`
      faults.push({
        code,
        message: `${ref ?? `The session ${key === null ? '' : unpackName(key)}`} ${message}.`,
        principal: unpackName(principal),
        ...(key !== null && { key: unpackName(key) }),
        ...(ref !== undefined && { ref }),
        repairable,
      })
    }
  }
  return faults
}
