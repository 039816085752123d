import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll } from 'vitest'

/**
 * A disk without space, for the tests of a file: SQLite can be told how many pages a file may have. Returns how to say it
 * to every connection of this process.
 */
export function useLimitedPages(): (pages: number) => void {
  const connections = new Set<DatabaseSync>()
  const { prepare } = DatabaseSync.prototype
  beforeAll(() => {
    DatabaseSync.prototype.prepare = function (this: DatabaseSync, ...values: Parameters<typeof prepare>) {
      connections.add(this)
      return prepare.apply(this, values)
    }
  })
  afterAll(() => {
    DatabaseSync.prototype.prepare = prepare
  })
  return (pages) => {
    for (const connection of connections)
      if (connection.isOpen) connection.exec(`PRAGMA max_page_count = ${pages}`)
  }
}
