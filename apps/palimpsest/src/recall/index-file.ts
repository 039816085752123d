import { PalimpsestError } from '@palimpsest/core'
import { type Connection, createConnection, type StoreFormat } from '@palimpsest/sqlite-kit'

/** The row of a session file. */
export interface IndexedFile {
  readonly path: string
  /** Its session in the store. */
  readonly key: string
  readonly agent: string
  /** The folder that it was about; empty when it does not say. */
  readonly project: string
  /** The person's first words. */
  readonly began: string
  /** Its size and time, in bytes and milliseconds, when all of it was in the store; -1 before. */
  readonly bytes: number
  readonly modifiedAt: number
  /** Where reading goes on: the line of a message, in bytes, and that message's number in the store. */
  readonly resumeAt: number
  readonly resumeSeq: number
  /** Hash of what stands before that place: another one means that the file was rewritten. */
  readonly mark: string
}

/** The file beside the store that says what of which session file is in it. */
const INDEX_FORMAT: StoreFormat = {
  title: 'an index of session files',
  packageName: '@palimpsest/cli',
  // "PLRI" in ASCII.
  applicationId: 0x504c5249,
  migrations: [
    `CREATE TABLE file (
      path TEXT PRIMARY KEY,
      key TEXT NOT NULL,
      agent TEXT NOT NULL,
      project TEXT NOT NULL,
      began TEXT NOT NULL,
      bytes INTEGER NOT NULL,
      modifiedAt REAL NOT NULL,
      resumeAt INTEGER NOT NULL,
      resumeSeq INTEGER NOT NULL,
      mark TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;`,
  ],
  remedy: 'delete it: it is made anew',
  error: (code, message, options) => new PalimpsestError(code, message, options),
}

const COLUMNS = [
  'path',
  'key',
  'agent',
  'project',
  'began',
  'bytes',
  'modifiedAt',
  'resumeAt',
  'resumeSeq',
  'mark',
]

/** Keeps what is known of session files; several processes may. */
export interface IndexFile {
  read(): Promise<readonly IndexedFile[]>
  write(files: readonly IndexedFile[]): Promise<void>
  remove(path: string): Promise<void>
  close(): void
}

export function openIndexFile(path: string): IndexFile {
  const connection: Connection = createConnection({ path, mode: 'create', format: INDEX_FORMAT })
  const values = (file: IndexedFile) => COLUMNS.map((column) => file[column as keyof IndexedFile])
  return {
    read: () => connection.read((sql) => sql.all<IndexedFile>('SELECT * FROM file')),
    write: (files) =>
      connection.write((sql) => {
        const places = COLUMNS.map(() => '?').join(', ')
        for (const file of files) sql.run(`INSERT OR REPLACE INTO file VALUES (${places})`, ...values(file))
      }),
    remove: (path) => connection.write((sql) => void sql.run('DELETE FROM file WHERE path = ?', path)),
    close: () => connection.close(),
  }
}
