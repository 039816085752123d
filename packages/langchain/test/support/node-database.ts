import { DatabaseSync, type SQLInputValue } from 'node:sqlite'

/** The part of `better-sqlite3` that LangGraph's checkpointer needs, on the SQLite of Node, so that tests need no compiled addon. */
export default class NodeDatabase {
  readonly #database: DatabaseSync

  constructor(file: string) {
    this.#database = new DatabaseSync(file)
  }

  pragma(text: string): void {
    this.#database.exec(`PRAGMA ${text}`)
  }

  exec(sql: string): void {
    this.#database.exec(sql)
  }

  prepare(sql: string) {
    const statement = this.#database.prepare(sql)
    const values = (args: unknown[]) => args.map((value) => value ?? null) as SQLInputValue[]
    return {
      all: (...args: unknown[]) => statement.all(...values(args)),
      get: (...args: unknown[]) => statement.get(...values(args)),
      run: (...args: unknown[]) => statement.run(...values(args)),
    }
  }

  transaction(run: (...args: unknown[]) => void) {
    return (...args: unknown[]): void => {
      this.exec('BEGIN')
      try {
        run(...args)
        this.exec('COMMIT')
      } catch (error) {
        this.exec('ROLLBACK')
        throw error
      }
    }
  }

  close(): void {
    this.#database.close()
  }
}
