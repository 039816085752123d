import { PalimpsestError } from '@palimpsest/core'
import { nameFile, SEAL_COLUMN, type SealedTable, type StoreFormat, sealTables } from '@palimpsest/sqlite-kit'
import type { StoreFault } from './service-store.ts'

/** All tables of the file: every row has a hash. */
export const SERVICE_TABLES = {
  conversation: {
    table: 'conversation',
    key: ['no'],
    columns: ['no', 'session', 'epoch', 'repo', 'system', 'turns', 'messages', 'created_at', 'last_at'],
  },
  message: {
    table: 'message',
    key: ['conversation', 'seq'],
    columns: ['conversation', 'seq', 'json'],
    comesSealed: true,
  },
  turn: {
    table: 'turn',
    key: ['conversation', 'number'],
    columns: ['conversation', 'number', 'request', 'request_hash', 'response', 'at'],
    comesSealed: true,
  },
  projection: {
    table: 'projection',
    key: ['conversation'],
    columns: ['conversation', 'json'],
    comesSealed: true,
  },
  cost: {
    table: 'cost',
    key: ['conversation', 'purpose', 'model'],
    columns: [
      ...['conversation', 'purpose', 'model', 'calls', 'prompt', 'cached', 'written', 'written_long'],
      ...['completion', 'reasoning'],
    ],
  },
} as const satisfies Record<string, SealedTable>

/** The file of `palimpsest serve --store`. */
export const SERVICE_FORMAT: StoreFormat = {
  title: 'a store of palimpsest serve',
  packageName: '@palimpsest/cli',
  // "PLSV" in ASCII.
  applicationId: 0x504c5356,
  migrations: [
    `
    CREATE TABLE conversation (
      no INTEGER PRIMARY KEY,
      session TEXT NOT NULL,
      epoch INTEGER NOT NULL,
      repo TEXT,
      system TEXT NOT NULL,
      turns INTEGER NOT NULL,
      messages INTEGER NOT NULL,
      created_at INTEGER NOT NULL,
      last_at INTEGER NOT NULL,
      ${SEAL_COLUMN},
      UNIQUE (session, epoch)
    ) STRICT;
    CREATE TABLE message (
      conversation INTEGER NOT NULL REFERENCES conversation (no),
      seq INTEGER NOT NULL,
      json TEXT NOT NULL,
      ${SEAL_COLUMN},
      PRIMARY KEY (conversation, seq)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE turn (
      conversation INTEGER NOT NULL REFERENCES conversation (no),
      number INTEGER NOT NULL,
      request TEXT,
      request_hash TEXT,
      response TEXT NOT NULL,
      at INTEGER NOT NULL,
      ${SEAL_COLUMN},
      PRIMARY KEY (conversation, number),
      UNIQUE (conversation, request)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE projection (
      conversation INTEGER PRIMARY KEY REFERENCES conversation (no),
      json TEXT NOT NULL,
      ${SEAL_COLUMN}
    ) STRICT;
    CREATE TABLE cost (
      conversation INTEGER NOT NULL REFERENCES conversation (no),
      purpose TEXT NOT NULL,
      model TEXT NOT NULL,
      calls INTEGER NOT NULL,
      prompt INTEGER NOT NULL,
      cached INTEGER NOT NULL,
      written INTEGER NOT NULL,
      written_long INTEGER NOT NULL,
      completion INTEGER NOT NULL,
      reasoning INTEGER NOT NULL,
      ${SEAL_COLUMN},
      PRIMARY KEY (conversation, purpose, model)
    ) STRICT, WITHOUT ROWID;
    ${sealTables(Object.values(SERVICE_TABLES))}`,
  ],
  error: (code, message, options) => new PalimpsestError(code, message, options),
}

/**
 * The error for a row that is not what was stored. The conversation that it belongs to is not used any more: what an
 * engine was handed of it would look like an edit of its history.
 *
 * @param path the file; undefined in memory.
 * @param what the row, for people.
 */
export function damagedRow(path: string | undefined, what: string, session?: string): Error {
  const of = session === undefined ? '' : ` of the session "${session}"`
  const error = SERVICE_FORMAT.error(
    'STORE_CORRUPT',
    `${what}${of} is not what was stored; palimpsest verify --store ${path} lists what is damaged: take an older copy`,
  )
  return path === undefined ? error : nameFile(error, path)
}

/** The fault of a conversation that has not all that it counts. */
export function miscount(session: string): StoreFault {
  const message = `A conversation of the session "${session}" has not the messages or the turns that it counts.`
  return { code: 'wrong-count', message }
}
