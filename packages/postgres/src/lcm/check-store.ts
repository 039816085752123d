import type { StoreFault } from '@palimpsest/lcm'
import { unpackName } from '@palimpsest/lcm/store-kit'
import type { Database } from '../database/create-database.ts'
import type { Sql } from '../database/sql.ts'
import { checkRows } from './check-rows.ts'
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

/** Makes anew what follows from the texts: counters, the columns that are searched, and their indexes. */
export async function repairStore(database: Database): Promise<StoreFault[]> {
  await database.write({}, async (sql) => {
    for (const name of await invalidIndexes(sql)) await sql.run(`REINDEX INDEX ${name}`)
    await sql.run(
      `UPDATE lcm_session SET characters = counted FROM (
         SELECT no AS counted_no, (SELECT coalesce(sum(message.characters), 0) FROM lcm_message AS message
           WHERE session = no) AS counted FROM lcm_session
       ) AS counts WHERE no = counted_no AND characters <> counted`,
    )
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
