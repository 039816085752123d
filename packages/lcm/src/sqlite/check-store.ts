import { type Connection, checkFile, inTransaction, resultCode, type Sql } from '@palimpsest/sqlite-kit'
import type { StoreFault } from '../store/lcm-store.ts'
import { checkRows } from './check-rows.ts'
import { indexNext } from './index-later.ts'
import { FULL_TEXT_TABLES, type FullTextTable } from './schema.ts'

/** Finds the faults of a file. Reads all of it. Outside of a transaction. */
export function checkStore(sql: Sql): StoreFault[] {
  // One state of the file, whatever others write meanwhile. Comparing an index asks for the lock of a writer.
  const faults = inTransaction(sql, 'BEGIN', (): StoreFault[] => {
    const found = checkFile(sql).map((fault) => ({ ...fault, repairable: false }))
    return isDamaged(found) ? found : [...found, ...checkRows(sql)]
  })
  return isDamaged(faults) ? faults : [...faults, ...checkFullText(sql)]
}

/** Makes anew what follows from the texts: counters and indexes. Returns what is left. */
export async function repairStore(connection: Connection): Promise<StoreFault[]> {
  await connection.write((sql) => {
    sql.run('UPDATE message SET script = lcm_script(text) WHERE script <> lcm_script(text)')
    sql.run(
      `UPDATE session SET characters = (SELECT ifnull(sum(message.characters), 0) FROM message
         WHERE id BETWEEN no * 4294967296 AND no * 4294967296 + 4294967295)`,
    )
    for (const table of FULL_TEXT_TABLES)
      if (isStale(sql, table)) sql.run(`INSERT INTO ${table} (${table}) VALUES ('rebuild')`)
  })
  while (await connection.write(indexNext));
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
