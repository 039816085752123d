import { rmSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'

export interface IndexedFile {
  readonly path: string
  readonly key: string
  readonly agent: string
  readonly project: string
  readonly began: string
  /** Size and time in bytes and milliseconds if the whole file is stored; -1 otherwise. */
  readonly bytes: number
  readonly modifiedAt: number
  readonly resumeAt: number
  readonly resumeSeq: number
  /** Hash of the content before that place; a different one means a rewritten file. */
  readonly mark: string
  readonly unread: string
}

export type IndexFile = ReturnType<typeof openIndexFile>

const BUSY_TIMEOUT = 5_000

export function openIndexFile(path: string) {
  let database: DatabaseSync
  try {
    database = openDatabase(path)
  } catch {
    for (const end of ['', '-wal', '-shm']) rmSync(`${path}${end}`, { force: true })
    database = openDatabase(path)
  }
  const parsed = (row: unknown) => JSON.parse((row as { readonly facts: string }).facts) as IndexedFile
  const insert = database.prepare('INSERT OR REPLACE INTO file (path, facts) VALUES (?, ?)')
  return {
    read: (): readonly IndexedFile[] => database.prepare('SELECT facts FROM file').all().map(parsed),
    find(path: string): IndexedFile | undefined {
      const row = database.prepare('SELECT facts FROM file WHERE path = ?').get(path)
      return row && parsed(row)
    },
    write(files: readonly IndexedFile[]): void {
      database.exec('BEGIN IMMEDIATE')
      for (const file of files) insert.run(file.path, JSON.stringify(file))
      database.exec('COMMIT')
    },
    remove: (path: string) => void database.prepare('DELETE FROM file WHERE path = ?').run(path),
    close: () => database.close(),
  }
}

function openDatabase(path: string): DatabaseSync {
  const database = new DatabaseSync(path, { timeout: BUSY_TIMEOUT })
  try {
    database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;
      CREATE TABLE IF NOT EXISTS file (path TEXT PRIMARY KEY, facts TEXT NOT NULL) STRICT, WITHOUT ROWID`)
    return database
  } catch (error) {
    database.close()
    throw error
  }
}
