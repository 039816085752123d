import { rmSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'

export interface IndexedFile {
  readonly path: string
  readonly key: string
  readonly agent: string
  /** The folder that it was about; empty when it does not say. */
  readonly project: string
  readonly began: string
  /** Its size and time, in bytes and milliseconds, when all of it was in the store; -1 before. */
  readonly bytes: number
  readonly modifiedAt: number
  /** Where reading goes on: the line of a message, in bytes, and that message's number in the store. */
  readonly resumeAt: number
  readonly resumeSeq: number
  /** Hash of what stands before that place: another one means that the file was rewritten. */
  readonly mark: string
  /** Why a part of it was not read; empty when it was read to its end. */
  readonly unread: string
}

export type IndexFile = ReturnType<typeof openIndexFile>

const BUSY_TIMEOUT = 5_000

/** Opens the file that says what of which session file is in the store. What is no such file is made anew. */
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
