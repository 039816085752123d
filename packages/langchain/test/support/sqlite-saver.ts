import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { SqliteSaver } from '@langchain/langgraph-checkpoint-sqlite'

/** LangGraph's checkpointer for SQLite on the SQLite of Node, so that the tests need no compiled addon. */
export function openSqliteSaver(file: string): { readonly saver: SqliteSaver; close(): void } {
  const database = new DatabaseSync(file)
  const likeBetterSqlite = {
    pragma: (text: string) => database.exec(`PRAGMA ${text}`),
    exec: (sql: string) => database.exec(sql),
    prepare(sql: string) {
      const statement = database.prepare(sql)
      const values = (args: unknown[]) => args.map((value) => value ?? null) as SQLInputValue[]
      return {
        all: (...args: unknown[]) => statement.all(...values(args)),
        get: (...args: unknown[]) => statement.get(...values(args)),
        run: (...args: unknown[]) => statement.run(...values(args)),
      }
    },
    transaction:
      (run: (...args: unknown[]) => void) =>
      (...args: unknown[]) => {
        database.exec('BEGIN')
        try {
          run(...args)
          database.exec('COMMIT')
        } catch (error) {
          database.exec('ROLLBACK')
          throw error
        }
      },
  }
  return { saver: new SqliteSaver(likeBetterSqlite as never), close: () => database.close() }
}
