import { DatabaseSync, type SQLInputValue, type SQLOutputValue } from 'node:sqlite'
import { SESSION } from './sessions.ts'

/** A row of the table `message` with all its columns. */
export type RawRow = Record<string, SQLOutputValue>

/** A store's file without the store: what a floor is measured with. */
export interface RawFile {
  readonly database: DatabaseSync
  /** Row ids of the session's messages: the first, and the first behind the last. */
  readonly from: number
  readonly to: number
  /** Rows of the session from a message on. */
  rowsFrom(seq: number): RawRow[]
  /** Writes rows of messages, with their entries in all indexes, in one transaction that is as durable as the store's. */
  write(rows: readonly RawRow[]): void
  close(): void
}

/** Row ids of a session begin at its number times this. */
const ROWS_PER_SESSION = 2 ** 32
/** `message.script` of texts with Chinese, Japanese or Korean in them. */
const SCRIPT_CJK = 2

/** What `packages/core/src/sqlite/open-database.ts` sets for a connection; the rest is in the file. */
const SETTINGS = `
  PRAGMA synchronous = FULL;
  PRAGMA foreign_keys = ON;
  PRAGMA secure_delete = ON;
  PRAGMA cache_size = -16384;
  PRAGMA wal_autocheckpoint = 512;
`

/** Opens a store's file with plain `node:sqlite`, and with the pragmas of the store. `key`: the session. */
export function openRaw(path: string, key = SESSION.key): RawFile {
  const database = new DatabaseSync(path)
  database.exec(SETTINGS)
  const { no } = database.prepare('SELECT no FROM session WHERE key = ?').get(key) as { no: number }
  const from = no * ROWS_PER_SESSION
  const to = from + ROWS_PER_SESSION
  const columns = database
    .prepare("SELECT name FROM pragma_table_info('message')")
    .all()
    .map(({ name }) => String(name))
  const insert = database.prepare(
    `INSERT INTO message (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
  )
  const index = (table: string) => database.prepare(`INSERT INTO ${table} (rowid, text) VALUES (?, ?)`)
  const words = index('message_words')
  const trigrams = index('message_trigrams')
  const grams = index('message_grams')
  const head = database.prepare('UPDATE session SET next_seq = next_seq + ?, last_at = ? WHERE no = ?')
  const select = database.prepare('SELECT * FROM message WHERE id >= ? AND id < ? ORDER BY id')
  return {
    database,
    from,
    to,
    rowsFrom: (seq) => select.all(from + seq, to),
    write(rows) {
      database.exec('BEGIN IMMEDIATE')
      for (const row of rows) {
        insert.run(...columns.map((column) => row[column] as SQLInputValue))
        const id = row.id as number
        const text = row.text as string
        if (text === '') continue
        words.run(id, text)
        trigrams.run(id, text)
        if (row.script === SCRIPT_CJK) grams.run(id, text)
      }
      head.run(rows.length, Number(rows.at(-1)?.at), no)
      database.exec('COMMIT')
    },
    close: () => database.close(),
  }
}
