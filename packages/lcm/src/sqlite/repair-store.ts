import type { Connection } from '@palimpsest/sqlite-kit'
import type { StoreFault } from '../store/lcm-store.ts'
import { checkStore, isStale } from './check-store.ts'
import { FULL_TEXT_TABLES } from './schema.ts'

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
  return connection.direct(checkStore)
}
